// Rounds are reduced into a memory, element by element. What it held is forgotten.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object Reduced_0 extends Reduced()

@spatial abstract class Reduced(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](2)
      y(1) = 1000
      MemReduce(y par 2)(3 by 1 par 1) { i =>
        val z = SRAM[T](2)
        z(0) = i
        z(1) = 10 * i
        z
      } { _ + _ }
      y_d(0::2) store y
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
