// Transfers are of a DRAM, and not of a `SparseDRAM`.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object SparseDramStore_0 extends SparseDramStore()

@spatial abstract class SparseDramStore(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val x = SparseDRAM[T](1)(8)
      x.alias = x_d
      val y = SRAM[T](4)
      y(0) = 1
      x(0::1) store y
    }
  }
}
