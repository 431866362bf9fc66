// Elements of a `SparseDRAM` are read one by one, and counted.
// file x.csv: 5 -2 7 11
import spatial.dsl._

class SparseDram_0 extends SparseDram()

@spatial abstract class SparseDram(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = SparseDRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](4)
      Foreach(4 by 1 par 4) { i =>
        y(i) = x_d(3 - i)
      }
      y_d(0::4) store y
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
