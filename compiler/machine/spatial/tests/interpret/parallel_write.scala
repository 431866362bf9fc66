// Rounds that run at once cannot write where others of them have written.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object ParallelWrite_0 extends ParallelWrite()

@spatial abstract class ParallelWrite(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](5)
      Foreach(4 by 1 par 2) { i =>
        val f = SRAM[T](4)
        f load x_d(0::4)
        y(i / 2) = f(i)
      }
    }
  }
}
