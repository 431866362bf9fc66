// At least one round runs at a time.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object ParZero_0 extends ParZero()

@spatial abstract class ParZero(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](4)
      Foreach(4 by 1 par 0) { i => y(i) = i }
    }
  }
}
