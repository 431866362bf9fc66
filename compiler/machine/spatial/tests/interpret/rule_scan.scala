// A scan that does not say which bits.
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
      val crd = FIFO[T](16)
      Foreach (n by 1 par 1) { k => crd.enq(3 * k) }
      val bits = FIFO[U32](16)
      gen_bitvector(0, 512, n, crd, bits)
      val y = FIFO[V](16)
      Foreach (Scan(1, 512, bits.deq)) { case List(i, a) => y.enq(i.to[V]) }
      y_d stream_store_vec(0, y, n)
    }
    val y_h = getMem(y_d)
    printArray(y_h)
  }
}
