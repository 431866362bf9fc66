// Rounds that run at once have memories of their own, and write to what is theirs.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object ParallelOwn_0 extends ParallelOwn()

@spatial abstract class ParallelOwn(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SRAM[T](4).nonbuffer
      Foreach(2 by 1 par 2) { i =>
        val f = SRAM[T](4)
        f load x_d(0::4)
        val g = FIFO[T](16)
        Foreach(2 by 1) { k =>
          g.enq(f(2 * i + k))
        }
        Foreach(2 by 1) { k =>
          y(2 * i + k) = g.deq
        }
        y(2 * i) = y(2 * i) + 1
      }
      y_d(0::4) store y
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
