// An element that nothing has written cannot be fetched.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object ResultNeverWritten_0 extends ResultNeverWritten()

@spatial abstract class ResultNeverWritten(ip: scala.Int = 16) extends SpatialApp {
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
    println(y_h(0))
  }
}
