// A memory begins anew each time that its declaration is reached.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object SramNewLife_0 extends SramNewLife()

@spatial abstract class SramNewLife(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      Foreach(2 by 1) { i =>
        val y = SRAM[T](1)
        if (i == 0) {
          y(0) = 7
        }
        y_d(i::i + 1) store y
      }
    }
  }
}
