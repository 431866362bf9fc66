// Elements of a `SparseDRAM` are read and written one by one, and counted.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object SparseDram_0 extends SparseDram()

@spatial abstract class SparseDram(ip: scala.Int = 16) extends SpatialApp {
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
      val y = SparseDRAM[T](1)(8)
      y.alias = y_d
      Foreach(4 by 1 par 4) { i =>
        y(i) = x(3 - i)
      }
      y.RMW(0, 3, "add", "unordered", Seq())
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
