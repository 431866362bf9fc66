import spatial.dsl._
import spatial.metadata.memory.{Barrier => _, _}

// ws[j_2] = C[i, j_2] + D[i, j_2]
// A[i, j] += B[i, j] + ws[j]
// tensor C: Float [i0: D, i1: CU] operand
// tensor D: Float [i0: D, i1: CU] operand
// tensor A: Float [i0: D, i1: CU] result
// tensor B: Float [i0: D, i1: CU] operand
object K0_0 extends K0()

@spatial abstract class K0(bp: scala.Int = 2, ip: scala.Int = 16, nnz_max: scala.Int = 16777216, nnz_accel_max: scala.Int = 65536) extends SpatialApp {
  type T = Int
  type V = Float

  def main(args: Array[String]): Unit = {
    val C_dims_h = loadCSV1D[T]("C_dims.csv", "\n")
    val C1_dim = ArgIn[T]
    setArg(C1_dim, C_dims_h(0))
    val C2_dim = ArgIn[T]
    setArg(C2_dim, C_dims_h(1))
    val C2_pos_h = loadCSV1D[T]("C2_pos.csv", "\n")
    val C2_pos_d = DRAM[T](C2_pos_h.length)
    setMem(C2_pos_d, C2_pos_h)
    val C2_crd_h = loadCSV1D[T]("C2_crd.csv", "\n")
    val C2_crd_d = DRAM[T](C2_crd_h.length)
    setMem(C2_crd_d, C2_crd_h)
    val C_vals_h = loadCSV1D[V]("C_vals.csv", "\n")
    val C_vals_d = DRAM[V](C_vals_h.length)
    setMem(C_vals_d, C_vals_h)
    val D_dims_h = loadCSV1D[T]("D_dims.csv", "\n")
    val D1_dim = ArgIn[T]
    setArg(D1_dim, D_dims_h(0))
    val D2_pos_h = loadCSV1D[T]("D2_pos.csv", "\n")
    val D2_pos_d = DRAM[T](D2_pos_h.length)
    setMem(D2_pos_d, D2_pos_h)
    val D2_crd_h = loadCSV1D[T]("D2_crd.csv", "\n")
    val D2_crd_d = DRAM[T](D2_crd_h.length)
    setMem(D2_crd_d, D2_crd_h)
    val D_vals_h = loadCSV1D[V]("D_vals.csv", "\n")
    val D_vals_d = DRAM[V](D_vals_h.length)
    setMem(D_vals_d, D_vals_h)
    val A_dims_h = loadCSV1D[T]("A_dims.csv", "\n")
    val A1_dim = ArgIn[T]
    setArg(A1_dim, A_dims_h(0))
    val A2_pos_d = DRAM[T](A_dims_h(0) + 1)
    val A2_crd_d = DRAM[T](nnz_max)
    val A_vals_d = DRAM[V](nnz_max)
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
    Accel {
      val A2_next = SparseParSRAM[T](bp)(1, true)
      A2_next(0) = 0
      val A2_crd = SparseDRAM[T](bp)(nnz_max)
      A2_crd.alias = A2_crd_d
      val A_vals = SparseDRAM[V](bp)(nnz_max)
      A_vals.alias = A_vals_d
      val C2_pos = SRAM[T](nnz_accel_max)
      C2_pos load C2_pos_d(0::(C1_dim + 1) par ip)
      val D2_pos = SRAM[T](nnz_accel_max)
      D2_pos load D2_pos_d(0::(D1_dim + 1) par ip)
      val B2_pos = SRAM[T](nnz_accel_max)
      B2_pos load B2_pos_d(0::(B1_dim + 1) par ip)
      val A2_pos = SRAM[T](nnz_accel_max)
      A2_pos(0) = 0
      val C_vals = SparseDRAM[V](bp)(nnz_max)
      C_vals.alias = C_vals_d
      val D_vals = SparseDRAM[V](bp)(nnz_max)
      D_vals.alias = D_vals_d
      val B_vals = SparseDRAM[V](bp)(nnz_max)
      B_vals.alias = B_vals_d
      Foreach (C1_dim by 1 par bp) { i =>
        val ws1_crd = FIFO[T](16)
        val ws_vals = SparseSRAM[V](nnz_accel_max)
        val j_2C_start = C2_pos(i)
        val j_2C_end = C2_pos(i + 1)
        val j_2C_len = j_2C_end - j_2C_start
        val j_2D_start = D2_pos(i)
        val j_2D_end = D2_pos(i + 1)
        val j_2D_len = j_2D_end - j_2D_start
        val C2_crd = FIFO[T](16)
        C2_crd load C2_crd_d(j_2C_start::j_2C_end par ip)
        val C2_bv = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        gen_bitvector(0, C2_dim, j_2C_len, C2_crd, C2_bv)
        val D2_crd = FIFO[T](16)
        D2_crd load D2_crd_d(j_2D_start::j_2D_end par ip)
        val D2_bv = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        gen_bitvector(0, C2_dim, j_2D_len, D2_crd, D2_bv)
        val C2_bv_2 = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        val C2_bv_3 = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        val D2_bv_2 = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        val D2_bv_3 = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        Foreach (16 * ((C2_dim + 511) / 512) by 1 par ip) { w =>
          val word = C2_bv.deq
          C2_bv_2.enq(word)
          C2_bv_3.enq(word)
          val word_2 = D2_bv.deq
          D2_bv_2.enq(word_2)
          D2_bv_3.enq(word_2)
        }
        val ws1_len = Reg[T](0.to[T])
        Reduce(ws1_len)(ScanRed(ip, C2_dim, "or", C2_bv_2.deq, D2_bv_2.deq)) { case List(j_2, j_2_a, j_2_out, j_2_b) =>
          mux(j_2_out >= 0, 1, 0)
        } { _ + _ }
        Foreach (Scan(ip, C2_dim, "or", C2_bv_3.deq, D2_bv_3.deq)) { case List(j_2, j_2C, j_2_out, j_2D) =>
          ws1_crd.enq(j_2)
          ws_vals(j_2_out) = mux(j_2C >= 0, C_vals(j_2C_start + j_2C), 0.to[V]) + mux(j_2D >= 0, D_vals(j_2D_start + j_2D), 0.to[V])
        }
        val jB_start = B2_pos(i)
        val jB_end = B2_pos(i + 1)
        val jB_len = jB_end - jB_start
        val B2_crd = FIFO[T](16)
        B2_crd load B2_crd_d(jB_start::jB_end par ip)
        val B2_bv = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        gen_bitvector(0, C2_dim, jB_len, B2_crd, B2_bv)
        val ws1_bv = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        gen_bitvector(0, C2_dim, ws1_len, ws1_crd, ws1_bv)
        val B2_bv_2 = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        val B2_bv_3 = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        val ws1_bv_2 = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        val ws1_bv_3 = FIFO[U32](16 * ((nnz_accel_max + 511) / 512))
        Foreach (16 * ((C2_dim + 511) / 512) by 1 par ip) { w =>
          val word = B2_bv.deq
          B2_bv_2.enq(word)
          B2_bv_3.enq(word)
          val word_2 = ws1_bv.deq
          ws1_bv_2.enq(word_2)
          ws1_bv_3.enq(word_2)
        }
        val A2_len = Reg[T](0.to[T])
        Reduce(A2_len)(ScanRed(ip, C2_dim, "or", B2_bv_2.deq, ws1_bv_2.deq)) { case List(j, j_a, j_out, j_b) =>
          mux(j_out >= 0, 1, 0)
        } { _ + _ }
        val A2_end = A2_next.RMW(0, A2_len, "add", "ordered", Seq())
        val A2_start = A2_end - A2_len
        Foreach (Scan(ip, C2_dim, "or", B2_bv_3.deq, ws1_bv_3.deq)) { case List(j, jB, j_out, jws) =>
          A2_crd(A2_start + j_out) = j
          A_vals(A2_start + j_out) = mux(jB >= 0, B_vals(jB_start + jB), 0.to[V]) + mux(jws >= 0, ws_vals(jws), 0.to[V])
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
    val A_vals_h = getMem(A_vals_d)
    val A_vals_w = Array.tabulate[V](A2_pos_h(A_dims_h(0))) { i => A_vals_h(i) }
    writeCSV1D(A_vals_w, "A_vals.csv", "\n")
  }
}
