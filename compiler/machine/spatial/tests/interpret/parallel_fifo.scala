// Rounds that run at once cannot enqueue to a FIFO of all of them.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object ParallelFifo_0 extends ParallelFifo()

@spatial abstract class ParallelFifo(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val g = FIFO[T](16)
      Foreach(4 by 1 par 2) { i =>
        Foreach(2 by 1) { k =>
          g.enq(k)
        }
      }
      y_d stream_store_vec(0, g, 8)
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
