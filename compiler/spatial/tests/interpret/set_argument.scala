// The accelerator cannot set what the host gives it.
import spatial.dsl._

class SetArgument_0 extends SetArgument()

@spatial abstract class SetArgument(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val n = ArgIn[T]
    setArg(n, 1)
    Accel {
      n := 2
    }
  }
}
