// A name is declared once in a block.
// file x.csv: 5 -2 7 11
import spatial.dsl._

class NamesTwice_0 extends NamesTwice()

@spatial abstract class NamesTwice(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val r = Reg[T](0)
      val r = Reg[T](1)
    }
  }
}
