// A file has no gaps; what was never written behind its end is left out.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object StoreGap_0 extends StoreGap()

@spatial abstract class StoreGap(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](1)
      y(0) = 1
      y_d(0::1) store y
      y_d(2::3) store y
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
