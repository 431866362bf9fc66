// What the host puts into DRAM has to fit.
// file x.csv: 1 2 3 4 5 6 7 8 9
import spatial.dsl._

object FileTooLong_0 extends FileTooLong()

@spatial abstract class FileTooLong(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val n = 1
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
