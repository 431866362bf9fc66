// An element in front of an SRAM is a fault.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object SramBelow_0 extends SramBelow()

@spatial abstract class SramBelow(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](3)
      y load x_d(0::3)
      val z = Reg[T](0)
      z := y(z - 1)
    }
  }
}
