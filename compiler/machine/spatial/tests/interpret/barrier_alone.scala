// Barriers are between patterns.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object BarrierAlone_0 extends BarrierAlone()

@spatial abstract class BarrierAlone(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SparseSRAM[T](4)
      val b = Barrier[Token](1)
      y.barrierWrite(0, 1, Seq(b.pop))
    }
  }
}
