// Elements of sparse SRAMs are modified in place, also by rounds that run at once.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object Rmw_0 extends Rmw()

@spatial abstract class Rmw(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SparseParSRAM[T](2)(4, true)
      Foreach(4 by 1) { i => y(i) = 0 }
      val f = SRAM[T](4)
      f load x_d(0::4)
      Foreach(4 by 1 par 2) { i =>
        Foreach(4 by 1 par 16) { k =>
          y.RMW(k, i * f(k), "add", "unordered", Seq())
        }
      }
      y.RMW(1, 3, "max", "unordered", Seq())
      y.RMW(2, 3, "min", "unordered", Seq())
      y.RMW(3, 4, "write", "unordered", Seq())
      y_d(0::4) store y
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
