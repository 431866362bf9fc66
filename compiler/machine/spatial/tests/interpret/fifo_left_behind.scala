// What is left in a FIFO at the end of its block is a fault.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object FifoLeftBehind_0 extends FifoLeftBehind()

@spatial abstract class FifoLeftBehind(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      Foreach(2 by 1) { i =>
        val f = FIFO[T](16)
        f load x_d(0::2 + i par 1)
        val y = SRAM[T](2)
        Foreach(2 by 1) { k =>
          y(k) = f.deq
        }
        y_d(0::2) store y
      }
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
