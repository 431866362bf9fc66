// The factors of several counters multiply.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object LanesOfTwoCounters_0 extends LanesOfTwoCounters()

@spatial abstract class LanesOfTwoCounters(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](64)
      Foreach(8 by 1 par 8, 8 by 1 par 4) { (i, j) => y(8 * i + j) = i }
    }
  }
}
