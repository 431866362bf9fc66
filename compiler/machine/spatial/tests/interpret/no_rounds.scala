// Without rounds nothing happens, at any counter.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object NoRounds_0 extends NoRounds()

@spatial abstract class NoRounds(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      Foreach(3 by 1, 5 until 5 by 1) { (i, j) =>
        val f = SRAM[T](1)
        f load x_d(90::91)
      }
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
