// A plain DRAM knows transfers only.
// file x.csv: 5 -2 7 11
import spatial.dsl._

class PlainDramElement_0 extends PlainDramElement()

@spatial abstract class PlainDramElement(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val r = Reg[T](0)
      r := x_d(2)
    }
  }
}
