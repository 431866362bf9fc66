// Memories have together no more elements than fit a machine.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object SizeTooLarge_0 extends SizeTooLarge()

@spatial abstract class SizeTooLarge(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](1000000000)
      y(999999999) = 1
    }
  }
}
