// A register holds its initial value whenever its block begins.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object RegisterNewLife_0 extends RegisterNewLife()

@spatial abstract class RegisterNewLife(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](3)
      Foreach(3 by 1) { i =>
        val r = Reg[T](10)
        r := r + i
        y(i) = r
      }
      y_d(0::3) store y
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
