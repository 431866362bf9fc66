// Rounds that run at once cannot set a register of all of them.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object ParallelRegister_0 extends ParallelRegister()

@spatial abstract class ParallelRegister(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val r = Reg[T](0)
      Foreach(4 by 1 par 2) { i =>
        val f = SRAM[T](4)
        f load x_d(0::4)
        r := f(i)
      }
    }
  }
}
