// A stream that is loaded to a FIFO of other than integers.
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
      val x = FIFO[V](16)
      x_d stream_load_vec(0, 16, x)
      y_d stream_store_vec(0, x, 16)
    }
    val y_h = getMem(y_d)
    printArray(y_h)
  }
}
