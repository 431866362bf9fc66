// Lanes that store a dense SRAM behind a product of what data decides.
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
      val pos = SRAM[T](64)
      Foreach (n by 1) { i => pos(i) = i }
      Foreach (n by 1) { i =>
        val at = pos(i)
        val y = SRAM[V](16)
        Foreach (n by 1) { k => y(k) = k.to[V] }
        y_d(at * n::(at + 1) * n par ip) store y
      }
    }
    val y_h = getMem(y_d)
    printArray(y_h)
  }
}
