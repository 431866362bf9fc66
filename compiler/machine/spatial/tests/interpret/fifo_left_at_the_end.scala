// What is left in a FIFO at the end of the accelerator is a fault.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object FifoLeftAtTheEnd_0 extends FifoLeftAtTheEnd()

@spatial abstract class FifoLeftAtTheEnd(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val f = FIFO[T](16)
      f.enq(1)
    }
  }
}
