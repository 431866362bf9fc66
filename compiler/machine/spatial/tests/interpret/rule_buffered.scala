// The same where each round has a copy.
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
      Foreach (n by 1 par 1) { i =>
        val w = SRAM[V](16).buffer
        Foreach (16 by 1 par ip) { k => w(k) = 0 }
        Foreach (n by 1 par 1) { k => w(k) = w(k) + i.to[V] }
        y_d(i * 16::(i + 1) * 16 par ip) store w
      }
    }
    val y_h = getMem(y_d)
    printArray(y_h)
  }
}
