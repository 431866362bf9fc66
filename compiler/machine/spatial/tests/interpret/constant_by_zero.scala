// Division of constants by 0 is found before anything runs.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object ConstantByZero_0 extends ConstantByZero()

@spatial abstract class ConstantByZero(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val n = ip / 0
    }
  }
}
