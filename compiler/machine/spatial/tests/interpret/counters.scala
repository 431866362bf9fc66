// The last counter is the fastest; bounds are computed when the pattern is launched.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object Counters_0 extends Counters()

@spatial abstract class Counters(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val g = FIFO[T](16)
      Foreach(1 until 3 by 1, 0 until 5 by 2) { (i, j) =>
        g.enq(10 * i + j)
      }
      y_d stream_store_vec(0, g, 6)
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
