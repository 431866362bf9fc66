// An argument is set before it is used.
import spatial.dsl._

object ArgumentNotSet_0 extends ArgumentNotSet()

@spatial abstract class ArgumentNotSet(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val n = ArgIn[T]
    Accel {
      val r = Reg[T](0)
      r := n
    }
  }
}
