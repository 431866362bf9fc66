// A `SparseDRAM` is not written by the accelerator.
// file x.csv: 5 -2 7 11
import spatial.dsl._

class SparseDramStore_0 extends SparseDramStore()

@spatial abstract class SparseDramStore(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = SparseDRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](4)
      y(0) = 1
      x_d(0::1) store y
    }
  }
}
