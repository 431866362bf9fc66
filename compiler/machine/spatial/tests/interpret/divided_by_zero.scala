// Division of integers by 0 is a fault.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object DividedByZero_0 extends DividedByZero()

@spatial abstract class DividedByZero(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val f = SRAM[T](4)
      f load x_d(0::4)
      val y = SRAM[T](4)
      Foreach(4 by 1) { i => y(i) = f(i) / (2 - i) }
    }
  }
}
