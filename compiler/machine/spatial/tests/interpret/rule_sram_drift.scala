// A dense SRAM that copies of a loop write, each maybe in another round of the loop inside, since the
// memory decides how long a round takes.
import spatial.dsl._

object Rule_0 extends Rule()

@spatial abstract class Rule(bp: scala.Int = 2, ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Float

  def main(args: Array[String]): Unit = {
    val n = ArgIn[T]
    setArg(n, 4)
    val x_d = DRAM[V](64)
    setMem(x_d, Array.tabulate[V](64) { i => i.to[V] })
    val y_d = DRAM[V](64)
    Accel {
      val y = SRAM[V](64)
      Foreach (n by 1 par bp) { j =>
        Foreach (n by 1 par 1) { i =>
          val x = FIFO[V](16)
          x load x_d(0::16 par 1)
          Foreach (16 by 1 par 1) { k => y(i * n + j) = x.deq }
        }
      }
      y_d(0::64 par ip) store y
    }
    val y_h = getMem(y_d)
    printArray(y_h)
  }
}
