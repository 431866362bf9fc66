// A stream takes as many elements as it is long.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object StreamStoreEmpty_0 extends StreamStoreEmpty()

@spatial abstract class StreamStoreEmpty(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val f = FIFO[T](16)
      f load x_d(0::2 par 1)
      y_d stream_store_vec(0, f, 3)
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
