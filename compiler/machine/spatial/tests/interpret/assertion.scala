// An assertion of the host that does not hold is a fault.
import spatial.dsl._

object Assertion_0 extends Assertion()

@spatial abstract class Assertion(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val s = ArgOut[Int]
    Accel {
      s := 1
    }
    assert(getArg(s) == 2)
  }
}
