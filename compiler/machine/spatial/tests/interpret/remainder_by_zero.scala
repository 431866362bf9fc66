// So is the remainder.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object RemainderByZero_0 extends RemainderByZero()

@spatial abstract class RemainderByZero(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val r = Reg[T](0)
      r := 7 % r
    }
  }
}
