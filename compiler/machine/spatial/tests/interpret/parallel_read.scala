// Rounds that run at once cannot read what others of them have written.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object ParallelRead_0 extends ParallelRead()

@spatial abstract class ParallelRead(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](5)
      y(0) = 1
      Foreach(4 by 1 par 2) { i =>
        val f = SRAM[T](4)
        f load x_d(0::4)
        y(i + 1) = y(i) + f(i)
      }
      y_d(0::5) store y
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
