import spatial.dsl._

// t += A[i, j] * x[j]
// y[i] = t
// tensor A: Float [i0: D, i1: CU] operand
// tensor x: Float [i0: D] operand
// tensor y: Float [i0: D] result
object K0_0 extends K0()

@spatial abstract class K0(bp: scala.Int = 2, ip: scala.Int = 16, nnz_max: scala.Int = 16777216, nnz_accel_max: scala.Int = 65536) extends SpatialApp {
  type T = Int
  type V = Float

  def main(args: Array[String]): Unit = {
    val A_dims_h = loadCSV1D[T]("A_dims.csv", "\n")
    val A1_dim = ArgIn[T]
    setArg(A1_dim, A_dims_h(0))
    val A2_pos_h = loadCSV1D[T]("A2_pos.csv", "\n")
    val A2_pos_d = DRAM[T](A2_pos_h.length)
    setMem(A2_pos_d, A2_pos_h)
    val A2_crd_h = loadCSV1D[T]("A2_crd.csv", "\n")
    val A2_crd_d = DRAM[T](A2_crd_h.length)
    setMem(A2_crd_d, A2_crd_h)
    val A_vals_h = loadCSV1D[V]("A_vals.csv", "\n")
    val A_vals_d = DRAM[V](A_vals_h.length)
    setMem(A_vals_d, A_vals_h)
    val x_dims_h = loadCSV1D[T]("x_dims.csv", "\n")
    val x1_dim = ArgIn[T]
    setArg(x1_dim, x_dims_h(0))
    val x_vals_h = loadCSV1D[V]("x_vals.csv", "\n")
    val x_vals_d = DRAM[V](x_vals_h.length)
    setMem(x_vals_d, x_vals_h)
    val y_dims_h = loadCSV1D[T]("y_dims.csv", "\n")
    val y1_dim = ArgIn[T]
    setArg(y1_dim, y_dims_h(0))
    val y_vals_d = DRAM[V](y_dims_h(0))
    Accel {
      val A2_pos = SRAM[T](nnz_accel_max)
      A2_pos load A2_pos_d(0::(A1_dim + 1) par ip)
      val x_vals = SparseParSRAMSwizzle[V](bp)(nnz_accel_max, true)
      x_vals load x_vals_d(0::x1_dim par ip)
      val y_vals = SRAM[V](nnz_accel_max)
      Foreach (A1_dim by 1 par bp) { i =>
        val t = Reg[V](0.to[V])
        val jA_start = A2_pos(i)
        val jA_end = A2_pos(i + 1)
        val jA_len = jA_end - jA_start
        val A2_crd = FIFO[T](16)
        A2_crd load A2_crd_d(jA_start::jA_end par 16)
        val A_vals = FIFO[V](16)
        A_vals load A_vals_d(jA_start::jA_end par 16)
        Reduce(t)(jA_len by 1 par 16) { jA =>
          val j = A2_crd.deq
          val A_hoisted = A_vals.deq
          A_hoisted * x_vals(j)
        } { _ + _ }
        y_vals(i) = t
      }
      y_vals_d(0::y1_dim par ip) store y_vals
    }
    val y_vals_h = getMem(y_vals_d)
    val y_vals_w = Array.tabulate[V](y_dims_h(0)) { i => y_vals_h(i) }
    writeCSV1D(y_vals_w, "y_vals.csv", "\n")
  }
}
