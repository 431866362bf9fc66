// A transfer ends behind its begin.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object LoadBackwards_0 extends LoadBackwards()

@spatial abstract class LoadBackwards(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](16)
      y load x_d(2::1)
    }
  }
}
