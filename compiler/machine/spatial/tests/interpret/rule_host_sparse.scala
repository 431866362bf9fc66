// A `SparseDRAM` of the host.
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
    val z_d = SparseDRAM[V](bp)(64)
    setMem(z_d, Array.tabulate[V](64) { i => i.to[V] })
    Accel {
      val y = FIFO[V](16)
      Foreach (n by 1 par ip) { k => y.enq(z_d(k)) }
      y_d stream_store_vec(0, y, n)
    }
    val y_h = getMem(y_d)
    printArray(y_h)
  }
}
