// A DRAM that neither the host nor the accelerator has filled cannot be loaded.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object DramNeverFilled_0 extends DramNeverFilled()

@spatial abstract class DramNeverFilled(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](5)
      y load x_d(0::5)
    }
  }
}
