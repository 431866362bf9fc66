// What rounds have written at once can be read behind them, and written anew.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object ParallelLater_0 extends ParallelLater()

@spatial abstract class ParallelLater(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](2)
      Foreach(2 by 1) { t =>
        Foreach(2 by 1 par 2) { i =>
          val f = SRAM[T](4)
          f load x_d(0::4)
          y(i) = f(i) + t
        }
      }
      y_d(0::2) store y
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
