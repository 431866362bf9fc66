// The same with a copy of the register, one round after the other.
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
      val len = Reg[T](0.to[T])
      Sequential.Foreach (n by 1 par 1) { i =>
        val start = Reg[T](0.to[T])
        start := len
        val y = FIFO[V](16)
        Foreach (n by 1 par 1) { k =>
          y.enq(k.to[V])
          len := len + 1
        }
        y_d stream_store_vec(start, y, len - start)
      }
      Sequential.Foreach (3 by 1) { i =>
        val z = FIFO[V](16)
        Foreach (16 by 1 par ip) { k => z.enq(0) }
        y_d stream_store_vec(16 * (i + 1), z, 16)
      }
    }
    val y_h = getMem(y_d)
    printArray(y_h)
  }
}
