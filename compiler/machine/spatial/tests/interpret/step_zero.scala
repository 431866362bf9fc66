// A counter goes on.
import spatial.dsl._

object StepZero_0 extends StepZero()

@spatial abstract class StepZero(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val n = ArgIn[T]
    setArg(n, 0)
    Accel {
      val y = SRAM[T](4)
      Foreach(4 by n) { i => y(i) = i }
    }
  }
}
