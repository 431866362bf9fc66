// Streams between DRAM and FIFOs are counted apart.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object Streams_0 extends Streams()

@spatial abstract class Streams(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val f = FIFO[T](16)
      x_d stream_load_vec(1, 3, f)
      y_d stream_store_vec(0, f, 3)
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
