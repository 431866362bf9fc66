// An element is enqueued where a condition holds; its value is computed all the same.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object FifoEnable_0 extends FifoEnable()

@spatial abstract class FifoEnable(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val f = FIFO[T](16)
      val g = FIFO[T](16)
      f load x_d(0::4 par 1)
      Foreach(4 by 1 par 2) { i =>
        g.enq(f.deq, i > 1)
      }
      y_d stream_store_vec(1, g, 2)
    }
    val y_h = getMem(y_d)
    println(y_h(1) + " and " + y_h(2))
  }
}
