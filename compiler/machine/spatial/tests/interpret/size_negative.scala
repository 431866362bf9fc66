// A memory has no negative size.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object SizeNegative_0 extends SizeNegative()

@spatial abstract class SizeNegative(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](2 - 3)
    }
  }
}
