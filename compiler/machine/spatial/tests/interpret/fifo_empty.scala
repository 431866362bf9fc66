// A dequeue from an empty FIFO is a fault.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object FifoEmpty_0 extends FifoEmpty()

@spatial abstract class FifoEmpty(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val f = FIFO[T](16)
      f load x_d(0::3 par 1)
      val y = SRAM[T](4)
      Foreach(4 by 1) { i =>
        y(i) = f.deq
      }
      y_d(0::4) store y
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
