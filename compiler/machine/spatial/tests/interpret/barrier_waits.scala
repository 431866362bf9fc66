// What waits for a token that nothing pushes waits forever.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object BarrierWaits_0 extends BarrierWaits()

@spatial abstract class BarrierWaits(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SparseParSRAM[T](1)(4, false)
      val free = Barrier[Token](1)
      Foreach(4 by 1) { t =>
        Foreach(4 by 1) { i =>
          y.barrierWrite(i, t, Seq(free.pop))
        }
      }
    }
  }
}
