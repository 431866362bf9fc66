// A register that 16 lanes set.
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
      val r = Reg[V](0.to[V])
      Foreach (n by 1 par ip) { k => r := k.to[V] }
      val y = SRAM[V](16)
      y(0) = r
      y_d(0::1 par 1) store y
    }
    val y_h = getMem(y_d)
    printArray(y_h)
  }
}
