// Files and arguments of the program: `y = alpha * x`, of as many elements as the file has.
import spatial.dsl._

@spatial object Files extends SpatialApp {
  override def runtimeArgs: Args = "3 1"
  type V = Double

  def main(args: Array[String]): Unit = {
    val alpha = ArgIn[V]
    val first = ArgIn[Int]
    setArg(alpha, args(0).to[V])
    setArg(first, args(1).to[Int])
    val x_h = loadCSV1D[V]("x_vals.csv")
    val length = x_h.length
    val n = ArgIn[Int]
    setArg(n, length)
    val x_d = DRAM[V](length)
    val y_d = DRAM[V](length)
    setMem(x_d, x_h)

    Accel {
      val x = FIFO[V](16)
      val y = FIFO[V](16)
      x load x_d(first::n par 16)
      Foreach (n - first by 1 par 16) { i =>
        y.enq(alpha * x.deq)
      }
      y_d(first::n par 16) store y
      val head = SRAM[V](16)
      head load x_d(0::first)
      y_d(0::first) store head
    }

    val y_h = getMem(y_d)
    println("first: " + x_h(0) + ", last: " + y_h(y_h.length - 1))
    writeCSV1D(y_h, "y_vals.csv", "\n")
  }
}
