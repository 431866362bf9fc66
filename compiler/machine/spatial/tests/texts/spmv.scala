// y[i] = A[i,j] * x[j], in the layout that the compiler writes, with all arrays in files
// tensor A: Double [i0: D, i1: CU] operand
// tensor x: Double [i0: D] operand
// tensor y: Double [i0: D] result
import spatial.dsl._

object SpMV_0 extends SpMV()

@spatial abstract class SpMV(bp: scala.Int = 2, ip: scala.Int = 16, nnz_max: scala.Int = 1000000, nnz_accel_max: scala.Int = 65536) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val A_dims_h = loadCSV1D[T]("A_dims.csv", "\n")
    val A2_pos_h = loadCSV1D[T]("A2_pos.csv", "\n")
    val A2_crd_h = loadCSV1D[T]("A2_crd.csv", "\n")
    val A_vals_h = loadCSV1D[V]("A_vals.csv", "\n")
    val x_vals_h = loadCSV1D[V]("x_vals.csv", "\n")
    val A1_dim = ArgIn[T]
    val A2_dim = ArgIn[T]
    setArg(A1_dim, A_dims_h(0))
    setArg(A2_dim, A_dims_h(1))
    val A2_pos_d = DRAM[T](A2_pos_h.length)
    val A2_crd_d = DRAM[T](A2_crd_h.length)
    val A_vals_d = DRAM[V](A_vals_h.length)
    val x_vals_d = DRAM[V](x_vals_h.length)
    val y_vals_d = DRAM[V](A1_dim)
    setMem(A2_pos_d, A2_pos_h)
    setMem(A2_crd_d, A2_crd_h)
    setMem(A_vals_d, A_vals_h)
    setMem(x_vals_d, x_vals_h)
    Accel {
      val x_vals = SparseParSRAMSwizzle[V](bp)(nnz_accel_max, true)
      x_vals load x_vals_d(0::A2_dim par ip)
      val A2_pos = SRAM[T](nnz_accel_max)
      A2_pos load A2_pos_d(0::(A1_dim + 1) par ip)
      val y_vals = SRAM[V](nnz_accel_max)
      Foreach (A1_dim by 1 par bp) { i =>
        val jA_start = A2_pos(i)
        val jA_end = A2_pos(i + 1)
        val jA_len = jA_end - jA_start
        val A2_crd = FIFO[T](16)
        A2_crd load A2_crd_d(jA_start::jA_end par 1)
        val A_vals = FIFO[V](16)
        A_vals load A_vals_d(jA_start::jA_end par 1)
        val t = Reg[V](0.to[V])
        Reduce(t)(jA_len by 1 par ip) { jA =>
          val j = A2_crd.deq
          A_vals.deq * x_vals(j)
        } { _ + _ }
        y_vals(i) = t
      }
      y_vals_d(0::A1_dim par ip) store y_vals
    }
    val y_vals_h = getMem(y_vals_d)
    writeCSV1D(y_vals_h, "y_vals.csv", "\n")
  }
}
