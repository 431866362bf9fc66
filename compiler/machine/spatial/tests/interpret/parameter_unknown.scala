// A parameter that the class has not is refused.
// parameter zp: 3
import spatial.dsl._

object ParameterUnknown_0 extends ParameterUnknown()

@spatial abstract class ParameterUnknown(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    Accel {
      val n = 1
    }
  }
}
