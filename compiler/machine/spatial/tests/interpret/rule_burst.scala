// 16 values of 64 bits are more than a burst.
import spatial.dsl._

object Rule_0 extends Rule()

@spatial abstract class Rule(bp: scala.Int = 2, ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val n = ArgIn[T]
    setArg(n, 4)
    val x_d = DRAM[V](64)
    setMem(x_d, Array.tabulate[V](64) { i => i.to[V] })
    val y_d = DRAM[V](64)
    Accel {
      val x = SRAM[V](64)
      x load x_d(0::64 par ip)
      y_d(0::64 par 8) store x
    }
    val y_h = getMem(y_d)
    printArray(y_h)
  }
}
