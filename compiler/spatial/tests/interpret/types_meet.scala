// Operands are of the same type.
// file x.csv: 5 -2 7 11
import spatial.dsl._

class TypesMeet_0 extends TypesMeet()

@spatial abstract class TypesMeet(ip: scala.Int = 16) extends SpatialApp {
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
      val r = Reg[V](0.to[V])
      r := f(0) * r
    }
  }
}
