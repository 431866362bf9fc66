// Memories that are reduced into each other are of the same size.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object MemReduceSizes_0 extends MemReduceSizes()

@spatial abstract class MemReduceSizes(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](2)
      MemReduce(y par 2)(3 by 1 par 1) { i =>
        val z = SRAM[T](1)
        z(0) = i
        z
      } { _ + _ }
    }
  }
}
