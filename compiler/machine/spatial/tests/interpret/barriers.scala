// What is to wait for a barrier comes behind what pushes to it, launch by launch.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object Barriers_0 extends Barriers()

@spatial abstract class Barriers(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SparseParSRAM[T](1)(4, false)
      Foreach(4 by 1) { i => y(i) = 0 }
      val g = FIFO[T](16)
      Foreach(2 by 1) { t =>
        val there = Barrier[Token](0)
        Foreach(4 by 1) { i =>
          y.RMW(i, i, "add", "ordered", Seq(there.push))
        }
        Foreach(2 by 1) { i =>
          g.enq(y.barrierRead(2 * i + t, Seq(there.pop)))
        }
      }
      y_d stream_store_vec(0, g, 4)
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
