// A dense SRAM that 16 lanes write at addresses that data decides.
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
      val y = SRAM[V](16)
      val at = FIFO[T](16)
      Foreach (n by 1 par ip) { k => at.enq(3 - k) }
      Foreach (n by 1 par ip) { k => y(at.deq) = k.to[V] }
    }
    val y_h = getMem(y_d)
    printArray(y_h)
  }
}
