// Hardware is laid out before it runs: `par` is a number.
import spatial.dsl._

object ParUnknown_0 extends ParUnknown()

@spatial abstract class ParUnknown(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val n = ArgIn[T]
    setArg(n, 2)
    Accel {
      val y = SRAM[T](4)
      Foreach(4 by 1 par n) { i => y(i) = i }
    }
  }
}
