// Sparse SRAMs serve 16 copies of what is around them.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object Copies_0 extends Copies()

@spatial abstract class Copies(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val y = SparseSRAM[T](4)
      Foreach(4 by 1) { i => y(i) = 0 }
      Foreach(4 by 1 par 4) { i =>
        Foreach(4 by 1 par 8) { j =>
          Foreach(4 by 1) { k =>
            y.RMW(k, 1, "add", "unordered", Seq())
          }
        }
      }
    }
  }
}
