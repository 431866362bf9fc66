// Reading an element of an SRAM that was never written is a fault.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object SramNeverWritten_0 extends SramNeverWritten()

@spatial abstract class SramNeverWritten(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](4)
      y load x_d(0::2)
      val z = Reg[T](0)
      Reduce(z)(4 by 1) { i => y(i) } { _ + _ }
    }
  }
}
