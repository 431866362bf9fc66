// Only registers are set.
// file x.csv: 5 -2 7 11
import spatial.dsl._

class SetValue_0 extends SetValue()

@spatial abstract class SetValue(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val r = 1.to[T]
      r := 2
    }
  }
}
