// Dense SRAMs have no such limit.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object CopiesOfDense_0 extends CopiesOfDense()

@spatial abstract class CopiesOfDense(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      Foreach(4 by 1 par 4) { i =>
        Foreach(4 by 1 par 8) { j =>
          val y = SRAM[T](4)
          Foreach(4 by 1) { k => y(k) = i + k }
          if (i == j) {
            y_d(i::i + 1) store y
          }
        }
      }
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
