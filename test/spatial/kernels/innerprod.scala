import spatial.dsl._
import spatial.metadata.memory.{Barrier => _, _}

// t += B[i, j, k] * C[i, j, k]
// alpha = t
// tensor B: Float [i0: D, i1: CU, i2: CU] operand
// tensor C: Float [i0: D, i1: CU, i2: CU] operand
// tensor alpha: Float [] result
object K0_0 extends K0()

@spatial abstract class K0(bp: scala.Int = 2, ip: scala.Int = 16, nnz_max: scala.Int = 16777216, nnz_accel_max: scala.Int = 65536) extends SpatialApp {
  type T = Int
  type V = Float

  def main(args: Array[String]): Unit = {
    val B_dims_h = loadCSV1D[T]("B_dims.csv", "\n")
    val B1_dim = ArgIn[T]
    setArg(B1_dim, B_dims_h(0))
    val B2_dim = ArgIn[T]
    setArg(B2_dim, B_dims_h(1))
    val B3_dim = ArgIn[T]
    setArg(B3_dim, B_dims_h(2))
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
    val C2_pos_h = loadCSV1D[T]("C2_pos.csv", "\n")
    val C2_pos_d = DRAM[T](C2_pos_h.length)
    setMem(C2_pos_d, C2_pos_h)
    val C2_crd_h = loadCSV1D[T]("C2_crd.csv", "\n")
    val C2_crd_d = DRAM[T](C2_crd_h.length)
    setMem(C2_crd_d, C2_crd_h)
    val C3_pos_h = loadCSV1D[T]("C3_pos.csv", "\n")
    val C3_pos_d = DRAM[T](C3_pos_h.length)
    setMem(C3_pos_d, C3_pos_h)
    val C3_crd_h = loadCSV1D[T]("C3_crd.csv", "\n")
    val C3_crd_d = DRAM[T](C3_crd_h.length)
    setMem(C3_crd_d, C3_crd_h)
    val C_vals_h = loadCSV1D[V]("C_vals.csv", "\n")
    val C_vals_d = DRAM[V](C_vals_h.length)
    setMem(C_vals_d, C_vals_h)
    val alpha_vals_d = DRAM[V](1)
    Accel {
      val alpha_vals = SRAM[V](nnz_accel_max)
      val B2_pos = SRAM[T](nnz_accel_max)
      B2_pos load B2_pos_d(0::(B1_dim + 1) par ip)
      val C2_pos = SRAM[T](nnz_accel_max)
      C2_pos load C2_pos_d(0::(C1_dim + 1) par ip)
      val t = Reg[V](0.to[V])
      val B3_pos = SparseDRAM[T](bp)(nnz_max)
      B3_pos.alias = B3_pos_d
      val C3_pos = SparseDRAM[T](bp)(nnz_max)
      C3_pos.alias = C3_pos_d
      val B_vals = SparseDRAM[V](bp)(nnz_max)
      B_vals.alias = B_vals_d
      val C_vals = SparseDRAM[V](bp)(nnz_max)
      C_vals.alias = C_vals_d
      Reduce(t)(B1_dim by 1 par 16) { i =>
        val t_j = Reg[V](0.to[V])
        val jB_start = B2_pos(i)
        val jB_end = B2_pos(i + 1)
        val jB_len = jB_end - jB_start
        val jC_start = C2_pos(i)
        val jC_end = C2_pos(i + 1)
        val jC_len = jC_end - jC_start
        val B2_crd = FIFO[T](16)
        B2_crd load B2_crd_d(jB_start::jB_end par ip)
        val B2_bv = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        gen_bitvector(0, B2_dim, jB_len, B2_crd, B2_bv)
        val C2_crd = FIFO[T](16)
        C2_crd load C2_crd_d(jC_start::jC_end par ip)
        val C2_bv = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        gen_bitvector(0, B2_dim, jC_len, C2_crd, C2_bv)
        Reduce(t_j)(ScanRed(1, B2_dim, "and", B2_bv.deq, C2_bv.deq)) { case List(j, jB, j_out, jC) =>
          val t_k = Reg[V](0.to[V])
          val kB_start = B3_pos(mux(jB >= 0, jB_start + jB, 0))
          val kB_end = B3_pos(mux(jB >= 0, jB_start + jB, 0) + 1)
          val kB_len = kB_end - kB_start
          val kC_start = C3_pos(mux(jC >= 0, jC_start + jC, 0))
          val kC_end = C3_pos(mux(jC >= 0, jC_start + jC, 0) + 1)
          val kC_len = kC_end - kC_start
          val B3_crd = FIFO[T](16)
          B3_crd load B3_crd_d(kB_start::kB_end par ip)
          val B3_bv = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
          gen_bitvector(0, B3_dim, kB_len, B3_crd, B3_bv)
          val C3_crd = FIFO[T](16)
          C3_crd load C3_crd_d(kC_start::kC_end par ip)
          val C3_bv = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
          gen_bitvector(0, B3_dim, kC_len, C3_crd, C3_bv)
          Reduce(t_k)(ScanRed(16, B3_dim, "and", B3_bv.deq, C3_bv.deq)) { case List(k, kB, k_out, kC) =>
            B_vals(kB_start + kB) * C_vals(kC_start + kC)
          } { _ + _ }
          t_k
        } { _ + _ }
        t_j
      } { _ + _ }
      alpha_vals(0) = t
      alpha_vals_d(0::1 par ip) store alpha_vals
    }
    val alpha_vals_h = getMem(alpha_vals_d)
    val alpha_vals_w = Array.tabulate[V](1) { i => alpha_vals_h(i) }
    writeCSV1D(alpha_vals_w, "alpha_vals.csv", "\n")
  }
}
