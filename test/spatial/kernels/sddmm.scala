import spatial.dsl._

// C_on[k_2] = C[i, k_2]
// D_on[k_3] = D[k_3, j]
// ws += B[i, j] * C_on[k] * D_on[k]
// A[i, j] += ws
// tensor C: Float [i0: D, i1: D] operand
// tensor D: Float [i1: D, i0: D] operand
// tensor B: Float [i0: D, i1: CU] operand
// tensor A: Float [i0: D, i1: CU] result
object K0_0 extends K0()

@spatial abstract class K0(outerPar: scala.Int = 2, innerPar: scala.Int = 16, nnz_max: scala.Int = 16777216, nnz_accel_max: scala.Int = 65536) extends SpatialApp {
  type T = Int
  type V = Float

  def main(args: Array[String]): Unit = {
    val C_dims_h = loadCSV1D[T]("C_dims.csv", "\n")
    val C1_dim = ArgIn[T]
    setArg(C1_dim, C_dims_h(0))
    val C2_dim = ArgIn[T]
    setArg(C2_dim, C_dims_h(1))
    val C_vals_h = loadCSV1D[V]("C_vals.csv", "\n")
    val C_vals_d = DRAM[V](C_vals_h.length)
    setMem(C_vals_d, C_vals_h)
    val D_dims_h = loadCSV1D[T]("D_dims.csv", "\n")
    val D2_dim = ArgIn[T]
    setArg(D2_dim, D_dims_h(0))
    val D_vals_h = loadCSV1D[V]("D_vals.csv", "\n")
    val D_vals_d = DRAM[V](D_vals_h.length)
    setMem(D_vals_d, D_vals_h)
    val B_dims_h = loadCSV1D[T]("B_dims.csv", "\n")
    val B1_dim = ArgIn[T]
    setArg(B1_dim, B_dims_h(0))
    val B2_pos_h = loadCSV1D[T]("B2_pos.csv", "\n")
    val B2_pos_d = DRAM[T](B2_pos_h.length)
    setMem(B2_pos_d, B2_pos_h)
    val B2_crd_h = loadCSV1D[T]("B2_crd.csv", "\n")
    val B2_crd_d = DRAM[T](B2_crd_h.length)
    setMem(B2_crd_d, B2_crd_h)
    val B_vals_h = loadCSV1D[V]("B_vals.csv", "\n")
    val B_vals_d = DRAM[V](B_vals_h.length)
    setMem(B_vals_d, B_vals_h)
    val A_dims_h = loadCSV1D[T]("A_dims.csv", "\n")
    val A1_dim = ArgIn[T]
    setArg(A1_dim, A_dims_h(0))
    val A2_pos_d = DRAM[T](A_dims_h(0) + 1)
    val A2_crd_d = DRAM[T](nnz_max)
    val A_vals_d = DRAM[V](nnz_max)
    Accel {
      val B2_pos = SRAM[T](nnz_accel_max)
      B2_pos load B2_pos_d(0::(B1_dim + 1) par innerPar)
      val A2_pos = SRAM[T](nnz_accel_max)
      A2_pos(0) = 0
      Foreach (C1_dim by 1 par outerPar) { i =>
        val A_vals = FIFO[V](16)
        val A2_crd = FIFO[T](16)
        val jB_start = B2_pos(i)
        val jB_end = B2_pos(i + 1)
        val jB_len = jB_end - jB_start
        val B2_crd = FIFO[T](16)
        B2_crd load B2_crd_d(jB_start::jB_end par 1)
        val B_vals = FIFO[V](16)
        B_vals load B_vals_d(jB_start::jB_end par 1)
        Foreach (jB_len by 1 par 1) { jB =>
          val j = B2_crd.deq
          val B_hoisted = B_vals.deq
          val ws = Reg[V](0.to[V])
          val C_vals = SRAM[V](nnz_accel_max)
          C_vals load C_vals_d(i * C2_dim::(i + 1) * C2_dim par innerPar)
          val D_vals = SRAM[V](nnz_accel_max)
          D_vals load D_vals_d(j * D2_dim::(j + 1) * D2_dim par innerPar)
          Reduce(ws)(C2_dim by 1 par innerPar) { k =>
            B_hoisted * C_vals(k) * D_vals(k)
          } { _ + _ }
          A2_crd.enq(j)
          A_vals.enq(ws)
        }
        A2_crd_d stream_store_vec(jB_start, A2_crd, jB_len)
        A_vals_d stream_store_vec(jB_start, A_vals, jB_len)
        A2_pos(i + 1) = jB_end
      }
      A2_pos_d(0::(A1_dim + 1) par innerPar) store A2_pos
    }
    val A2_pos_h = getMem(A2_pos_d)
    val A2_pos_w = Array.tabulate[T](A_dims_h(0) + 1) { i => A2_pos_h(i) }
    writeCSV1D(A2_pos_w, "A2_pos.csv", "\n")
    val A2_crd_h = getMem(A2_crd_d)
    val A2_crd_w = Array.tabulate[T](A2_pos_h(A_dims_h(0))) { i => A2_crd_h(i) }
    writeCSV1D(A2_crd_w, "A2_crd.csv", "\n")
    val A_vals_h = getMem(A_vals_d)
    val A_vals_w = Array.tabulate[V](A2_pos_h(A_dims_h(0))) { i => A_vals_h(i) }
    writeCSV1D(A_vals_w, "A_vals.csv", "\n")
  }
}
