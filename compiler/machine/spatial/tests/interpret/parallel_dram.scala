// Rounds that run at once cannot load what others of them have stored.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object ParallelDram_0 extends ParallelDram()

@spatial abstract class ParallelDram(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      Foreach(1 until 4 by 1 par 2) { i =>
        val f = SRAM[T](1)
        f load x_d(i - 1::i)
        x_d(i::i + 1) store f
      }
    }
  }
}
