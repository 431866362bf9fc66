// A memory is no value.
// file x.csv: 5 -2 7 11
import spatial.dsl._

class ArrayAsValue_0 extends ArrayAsValue()

@spatial abstract class ArrayAsValue(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](4)
      val r = Reg[T](0)
      r := y
    }
  }
}
