// What is set is of the type of the register.
// file x.csv: 5 -2 7 11
import spatial.dsl._

class TypeNeeded_0 extends TypeNeeded()

@spatial abstract class TypeNeeded(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val r = Reg[V](0.to[V])
      val s = Reg[T](0)
      s := r
    }
  }
}
