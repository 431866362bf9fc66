// The host has bounds, too.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object HostElement_0 extends HostElement()

@spatial abstract class HostElement(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val n = 1
    }
    println(x_h(4))
  }
}
