import spatial.dsl._
import spatial.metadata.memory.{Barrier => _, _}

// A[i, j, k] += B[i, j, k] + C[i, j, k]
// tensor A: Float [i0: D, i1: CU, i2: CU] result
// tensor B: Float [i0: D, i1: CU, i2: CU] operand
// tensor C: Float [i0: D, i1: CU, i2: CU] operand
object K0_0 extends K0()

@spatial abstract class K0(bp: scala.Int = 2, ip: scala.Int = 16, nnz_max: scala.Int = 16777216, nnz_accel_max: scala.Int = 65536) extends SpatialApp {
  type T = Int
  type V = Float

  def main(args: Array[String]): Unit = {
    val A_dims_h = loadCSV1D[T]("A_dims.csv", "\n")
    val A1_dim = ArgIn[T]
    setArg(A1_dim, A_dims_h(0))
    val A2_pos_d = DRAM[T](A_dims_h(0) + 1)
    val A2_crd_d = DRAM[T](nnz_max)
    val A3_pos_d = DRAM[T](nnz_max)
    val A3_crd_d = DRAM[T](nnz_max)
    val A_vals_d = DRAM[V](nnz_max)
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
    Accel {
      val A2_next = SparseParSRAM[T](bp)(1, true)
      A2_next(0) = 0
      val A2_crd = SparseDRAM[T](bp)(nnz_max)
      A2_crd.alias = A2_crd_d
      val A3_pos = SparseDRAM[T](bp)(nnz_max)
      A3_pos.alias = A3_pos_d
      A3_pos(0) = 0
      val A3_next = SparseParSRAM[T](bp)(1, true)
      A3_next(0) = 0
      val A3_crd = SparseDRAM[T](bp)(nnz_max)
      A3_crd.alias = A3_crd_d
      val A_vals = SparseDRAM[V](bp)(nnz_max)
      A_vals.alias = A_vals_d
      val B2_pos = SRAM[T](nnz_accel_max)
      B2_pos load B2_pos_d(0::(B1_dim + 1) par ip)
      val C2_pos = SRAM[T](nnz_accel_max)
      C2_pos load C2_pos_d(0::(C1_dim + 1) par ip)
      val A2_pos = SRAM[T](nnz_accel_max)
      A2_pos(0) = 0
      val B3_pos = SparseDRAM[T](bp)(nnz_max)
      B3_pos.alias = B3_pos_d
      val C3_pos = SparseDRAM[T](bp)(nnz_max)
      C3_pos.alias = C3_pos_d
      val B_vals = SparseDRAM[V](bp)(nnz_max)
      B_vals.alias = B_vals_d
      val C_vals = SparseDRAM[V](bp)(nnz_max)
      C_vals.alias = C_vals_d
      Foreach (B1_dim by 1 par 1) { i =>
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
        val B2_bv_2 = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        val B2_bv_3 = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        val C2_bv_2 = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        val C2_bv_3 = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        Foreach (16 * ((B2_dim + 511) / 512) by 1 par ip) { w =>
          val word = B2_bv.deq
          B2_bv_2.enq(word)
          B2_bv_3.enq(word)
          val word_2 = C2_bv.deq
          C2_bv_2.enq(word_2)
          C2_bv_3.enq(word_2)
        }
        val A2_len = Reg[T](0.to[T])
        Reduce(A2_len)(ScanRed(ip, B2_dim, "or", B2_bv_2.deq, C2_bv_2.deq)) { case List(j, j_a, j_out, j_b) =>
          mux(j_out >= 0, 1, 0)
        } { _ + _ }
        val A2_end = A2_next.RMW(0, A2_len, "add", "ordered", Seq())
        val A2_start = A2_end - A2_len
        Foreach (Scan(1, B2_dim, "or", B2_bv_3.deq, C2_bv_3.deq)) { case List(j, jB, j_out, jC) =>
          val kB_start = mux(jB >= 0, B3_pos(mux(jB >= 0, jB_start + jB, 0)), 0)
          val kB_end = mux(jB >= 0, B3_pos(mux(jB >= 0, jB_start + jB, 0) + 1), 0)
          val kB_len = kB_end - kB_start
          val kC_start = mux(jC >= 0, C3_pos(mux(jC >= 0, jC_start + jC, 0)), 0)
          val kC_end = mux(jC >= 0, C3_pos(mux(jC >= 0, jC_start + jC, 0) + 1), 0)
          val kC_len = kC_end - kC_start
          val B3_crd = FIFO[T](16)
          B3_crd load B3_crd_d(kB_start::kB_end par ip)
          val B3_bv = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
          gen_bitvector(0, B3_dim, kB_len, B3_crd, B3_bv)
          val C3_crd = FIFO[T](16)
          C3_crd load C3_crd_d(kC_start::kC_end par ip)
          val C3_bv = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
          gen_bitvector(0, B3_dim, kC_len, C3_crd, C3_bv)
          val B3_bv_2 = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
          val B3_bv_3 = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
          val C3_bv_2 = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
          val C3_bv_3 = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
          Foreach (16 * ((B3_dim + 511) / 512) by 1 par ip) { w =>
            val word = B3_bv.deq
            B3_bv_2.enq(word)
            B3_bv_3.enq(word)
            val word_2 = C3_bv.deq
            C3_bv_2.enq(word_2)
            C3_bv_3.enq(word_2)
          }
          val A3_len = Reg[T](0.to[T])
          Reduce(A3_len)(ScanRed(ip, B3_dim, "or", B3_bv_2.deq, C3_bv_2.deq)) { case List(k, k_a, k_out, k_b) =>
            mux(k_out >= 0, 1, 0)
          } { _ + _ }
          val A3_end = A3_next.RMW(0, A3_len, "add", "ordered", Seq())
          val A3_start = A3_end - A3_len
          Foreach (Scan(ip, B3_dim, "or", B3_bv_3.deq, C3_bv_3.deq)) { case List(k, kB, k_out, kC) =>
            A3_crd(A3_start + k_out) = k
            A_vals(A3_start + k_out) = mux(kB >= 0, B_vals(kB_start + kB), 0.to[V]) + mux(kC >= 0, C_vals(kC_start + kC), 0.to[V])
          }
          A2_crd(A2_start + j_out) = j
          A3_pos(A2_start + j_out + 1) = A3_end
        }
        A2_pos(i + 1) = A2_end
      }
      A2_pos_d(0::(A1_dim + 1) par ip) store A2_pos
    }
    val A2_pos_h = getMem(A2_pos_d)
    val A2_pos_w = Array.tabulate[T](A_dims_h(0) + 1) { i => A2_pos_h(i) }
    writeCSV1D(A2_pos_w, "A2_pos.csv", "\n")
    val A2_crd_h = getMem(A2_crd_d)
    val A2_crd_w = Array.tabulate[T](A2_pos_h(A_dims_h(0))) { i => A2_crd_h(i) }
    writeCSV1D(A2_crd_w, "A2_crd.csv", "\n")
    val A3_pos_h = getMem(A3_pos_d)
    val A3_pos_w = Array.tabulate[T](A2_pos_h(A_dims_h(0)) + 1) { i => A3_pos_h(i) }
    writeCSV1D(A3_pos_w, "A3_pos.csv", "\n")
    val A3_crd_h = getMem(A3_crd_d)
    val A3_crd_w = Array.tabulate[T](A3_pos_h(A2_pos_h(A_dims_h(0)))) { i => A3_crd_h(i) }
    writeCSV1D(A3_crd_w, "A3_crd.csv", "\n")
    val A_vals_h = getMem(A_vals_d)
    val A_vals_w = Array.tabulate[V](A3_pos_h(A2_pos_h(A_dims_h(0)))) { i => A_vals_h(i) }
    writeCSV1D(A_vals_w, "A_vals.csv", "\n")
  }
}
