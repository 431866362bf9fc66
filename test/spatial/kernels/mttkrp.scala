import spatial.dsl._

// t += B[i, k, l] * C[j, k] * D[j, l]
// A[i, j] += t
// tensor B: Float [i0: CU, i1: CU, i2: CU] operand
// tensor C: Float [i0: D, i1: D] operand
// tensor D: Float [i0: D, i1: D] operand
// tensor A: Float [i0: CU, i1: D] result
object K0_0 extends K0()

@spatial abstract class K0(bp: scala.Int = 2, ip: scala.Int = 16, nnz_max: scala.Int = 16777216, nnz_accel_max: scala.Int = 65536) extends SpatialApp {
  type T = Int
  type V = Float

  def main(args: Array[String]): Unit = {
    val B1_pos_h = loadCSV1D[T]("B1_pos.csv", "\n")
    val B1_nnz = ArgIn[T]
    setArg(B1_nnz, B1_pos_h(1))
    val B1_crd_h = loadCSV1D[T]("B1_crd.csv", "\n")
    val B1_crd_d = DRAM[T](B1_crd_h.length)
    setMem(B1_crd_d, B1_crd_h)
    val B2_pos_h = loadCSV1D[T]("B2_pos.csv", "\n")
    val B2_pos_d = DRAM[T](B2_pos_h.length)
    setMem(B2_pos_d, B2_pos_h)
    val B2_crd_h = loadCSV1D[T]("B2_crd.csv", "\n")
    val B2_crd_d = DRAM[T](B2_crd_h.length)
    setMem(B2_crd_d, B2_crd_h)
    val B3_pos_h = loadCSV1D[T]("B3_pos.csv", "\n")
    val B3_pos_d = DRAM[T](B3_pos_h.length)
    setMem(B3_pos_d, B3_pos_h)
    val B3_crd_h = loadCSV1D[T]("B3_crd.csv", "\n")
    val B3_crd_d = DRAM[T](B3_crd_h.length)
    setMem(B3_crd_d, B3_crd_h)
    val B_vals_h = loadCSV1D[V]("B_vals.csv", "\n")
    val B_vals_d = DRAM[V](B_vals_h.length)
    setMem(B_vals_d, B_vals_h)
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
    setArg(D2_dim, D_dims_h(1))
    val D_vals_h = loadCSV1D[V]("D_vals.csv", "\n")
    val D_vals_d = DRAM[V](D_vals_h.length)
    setMem(D_vals_d, D_vals_h)
    val A_dims_h = loadCSV1D[T]("A_dims.csv", "\n")
    val A2_dim = ArgIn[T]
    setArg(A2_dim, A_dims_h(1))
    val A1_nnz = ArgOut[T]
    val A1_crd_d = DRAM[T](nnz_max)
    val A_vals_d = DRAM[V](nnz_max)
    Accel {
      val A1_crd = SRAM[T](nnz_accel_max)
      val B2_pos = SRAM[T](nnz_accel_max)
      B2_pos load B2_pos_d(0::(B1_nnz + 1) par ip)
      val B1_crd = SRAM[T](nnz_accel_max)
      B1_crd load B1_crd_d(0::B1_nnz par ip)
      Foreach (B1_nnz by 1 par bp) { iB =>
        val i = B1_crd(iB)
        val A_vals = SRAM[V](nnz_accel_max)
        Foreach (C1_dim by 1 par 1) { j =>
          val C_vals = SparseSRAM[V](nnz_accel_max)
          C_vals load C_vals_d(j * C2_dim::(j + 1) * C2_dim par ip)
          val D_vals = SparseSRAM[V](nnz_accel_max)
          D_vals load D_vals_d(j * D2_dim::(j + 1) * D2_dim par ip)
          val t = Reg[V](0.to[V])
          val kB_start = B2_pos(iB)
          val kB_end = B2_pos(iB + 1)
          val kB_len = kB_end - kB_start
          val B3_pos = SRAM[T](nnz_accel_max)
          B3_pos load B3_pos_d(kB_start::(kB_end + 1) par ip)
          val B2_crd = FIFO[T](16)
          B2_crd load B2_crd_d(kB_start::kB_end par 1)
          Reduce(t)(kB_len by 1 par 1) { kB =>
            val k = B2_crd.deq
            val t_l = Reg[V](0.to[V])
            val lB_start = B3_pos(kB)
            val lB_end = B3_pos(kB + 1)
            val lB_len = lB_end - lB_start
            val B3_crd = FIFO[T](16)
            B3_crd load B3_crd_d(lB_start::lB_end par ip)
            val B_vals = FIFO[V](16)
            B_vals load B_vals_d(lB_start::lB_end par ip)
            Reduce(t_l)(lB_len by 1 par ip) { lB =>
              val l = B3_crd.deq
              val B_hoisted = B_vals.deq
              B_hoisted * C_vals(k) * D_vals(l)
            } { _ + _ }
            t_l
          } { _ + _ }
          A_vals(j) = t
        }
        A_vals_d(iB * A2_dim::(iB + 1) * A2_dim par ip) store A_vals
        A1_crd(iB) = i
      }
      A1_crd_d(0::B1_nnz par ip) store A1_crd
      A1_nnz := B1_nnz
    }
    val A1_nnz_h = getArg(A1_nnz)
    val A1_pos_w = Array.tabulate[T](2) { i => i * A1_nnz_h }
    writeCSV1D(A1_pos_w, "A1_pos.csv", "\n")
    val A1_crd_h = getMem(A1_crd_d)
    val A1_crd_w = Array.tabulate[T](A1_nnz_h) { i => A1_crd_h(i) }
    writeCSV1D(A1_crd_w, "A1_crd.csv", "\n")
    val A_vals_h = getMem(A_vals_d)
    val A_vals_w = Array.tabulate[V](A1_nnz_h * A_dims_h(1)) { i => A_vals_h(i) }
    writeCSV1D(A_vals_w, "A_vals.csv", "\n")
  }
}
