// What is stored was written before.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object StoreNeverWritten_0 extends StoreNeverWritten()

@spatial abstract class StoreNeverWritten(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](3)
      y(0) = 1
      y(2) = 3
      y_d(0::3) store y
    }
  }
}
