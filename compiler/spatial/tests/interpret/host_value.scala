// A value of the host is not there on the accelerator.
// file x.csv: 5 -2 7 11
import spatial.dsl._

class HostValue_0 extends HostValue()

@spatial abstract class HostValue(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val n = x_h(0)
    Accel {
      val r = Reg[T](0)
      r := n
    }
  }
}
