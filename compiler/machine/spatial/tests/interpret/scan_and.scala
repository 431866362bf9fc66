// Two bit vectors scanned together: the bits of both, with their numbers.
// file x_crd.csv: 1 33 599
// file z_crd.csv: 0 33 40 512
// file x_vals.csv: 2 3 4
// file z_vals.csv: 10 20 30 40
import spatial.dsl._

object ScanAnd_0 extends ScanAnd()

@spatial abstract class ScanAnd(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_crd_h = loadCSV1D[T]("x_crd.csv")
    val z_crd_h = loadCSV1D[T]("z_crd.csv")
    val x_vals_h = loadCSV1D[T]("x_vals.csv")
    val z_vals_h = loadCSV1D[T]("z_vals.csv")
    val x_crd_d = DRAM[T](8)
    val z_crd_d = DRAM[T](8)
    val x_vals_d = DRAM[T](8)
    val z_vals_d = DRAM[T](8)
    setMem(x_crd_d, x_crd_h)
    setMem(z_crd_d, z_crd_h)
    setMem(x_vals_d, x_vals_h)
    setMem(z_vals_d, z_vals_h)
    val y_crd_d = DRAM[T](16)
    val y_vals_d = DRAM[T](16)
    val y_len = ArgOut[T]
    Accel {
      val x_vals = SRAM[T](8)
      x_vals load x_vals_d(0::3 par ip)
      val z_vals = SRAM[T](8)
      z_vals load z_vals_d(0::4 par ip)
      val x_crd = FIFO[T](16)
      x_crd load x_crd_d(0::3 par 1)
      val z_crd = FIFO[T](16)
      z_crd load z_crd_d(0::4 par 1)
      val x_bits = FIFO[U32](32)
      val z_bits = FIFO[U32](32)
      gen_bitvector(0, 600, 3, x_crd, x_bits)
      gen_bitvector(0, 600, 4, z_crd, z_bits)
      val y_crd = FIFO[T](16)
      val y_vals = FIFO[T](16)
      val n = Reg[T](0)
      Foreach(Scan(1, 600, "and", x_bits, z_bits)) { case List(i, x, y, z) =>
        y_crd.enq(i)
        y_vals.enq(100 * x + 10 * z + y)
        n := y + 1
      }
      y_len := n
      y_crd_d stream_store_vec(0, y_crd, n)
      y_vals_d stream_store_vec(0, y_vals, n)
    }
    println("length " + getArg(y_len))
    val y_crd_h = getMem(y_crd_d)
    val y_vals_h = getMem(y_vals_d)
    writeCSV1D(y_crd_h, "y_crd.csv")
    writeCSV1D(y_vals_h, "y_vals.csv")
  }
}
