import spatial.dsl._

// t += B[i, j, k] * c[k]
// A[i, j] += t
// tensor B: Float [i0: CU, i1: CU, i2: CU] operand
// tensor c: Float [i0: D] operand
// tensor A: Float [i0: CU, i1: CU] result
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
    val c_dims_h = loadCSV1D[T]("c_dims.csv", "\n")
    val c1_dim = ArgIn[T]
    setArg(c1_dim, c_dims_h(0))
    val c_vals_h = loadCSV1D[V]("c_vals.csv", "\n")
    val c_vals_d = DRAM[V](c_vals_h.length)
    setMem(c_vals_d, c_vals_h)
    val A_dims_h = loadCSV1D[T]("A_dims.csv", "\n")
    val A1_nnz = ArgOut[T]
    val A1_crd_d = DRAM[T](nnz_max)
    val A2_pos_d = DRAM[T](nnz_max)
    val A2_crd_d = DRAM[T](nnz_max)
    val A_vals_d = DRAM[V](nnz_max)
    Accel {
      val c_vals = SparseParSRAMSwizzle[V](bp)(nnz_accel_max, true)
      c_vals load c_vals_d(0::c1_dim par ip)
      val A1_crd = SRAM[T](nnz_accel_max)
      val A2_pos = SRAM[T](nnz_accel_max)
      A2_pos(0) = 0
      val B2_pos = SRAM[T](nnz_accel_max)
      B2_pos load B2_pos_d(0::(B1_nnz + 1) par ip)
      val B1_crd = SRAM[T](nnz_accel_max)
      B1_crd load B1_crd_d(0::B1_nnz par ip)
      Foreach (B1_nnz by 1 par bp) { iB =>
        val i = B1_crd(iB)
        val A_vals = FIFO[V](16)
        val A2_crd = FIFO[T](16)
        val jB_start = B2_pos(iB)
        val jB_end = B2_pos(iB + 1)
        val jB_len = jB_end - jB_start
        val B3_pos = SRAM[T](nnz_accel_max)
        B3_pos load B3_pos_d(jB_start::(jB_end + 1) par ip)
        val B2_crd = FIFO[T](16)
        B2_crd load B2_crd_d(jB_start::jB_end par 1)
        Foreach (jB_len by 1 par 1) { jB =>
          val j = B2_crd.deq
          val t = Reg[V](0.to[V])
          val kB_start = B3_pos(jB)
          val kB_end = B3_pos(jB + 1)
          val kB_len = kB_end - kB_start
          val B3_crd = FIFO[T](16)
          B3_crd load B3_crd_d(kB_start::kB_end par 16)
          val B_vals = FIFO[V](16)
          B_vals load B_vals_d(kB_start::kB_end par 16)
          Reduce(t)(kB_len by 1 par 16) { kB =>
            val k = B3_crd.deq
            val B_hoisted = B_vals.deq
            B_hoisted * c_vals(k)
          } { _ + _ }
          A2_crd.enq(j)
          A_vals.enq(t)
        }
        A2_crd_d stream_store_vec(jB_start, A2_crd, jB_len)
        A_vals_d stream_store_vec(jB_start, A_vals, jB_len)
        A1_crd(iB) = i
        A2_pos(iB + 1) = jB_end
      }
      A1_crd_d(0::B1_nnz par ip) store A1_crd
      A2_pos_d(0::(B1_nnz + 1) par ip) store A2_pos
      A1_nnz := B1_nnz
    }
    val A1_nnz_h = getArg(A1_nnz)
    val A1_pos_w = Array.tabulate[T](2) { i => i * A1_nnz_h }
    writeCSV1D(A1_pos_w, "A1_pos.csv", "\n")
    val A1_crd_h = getMem(A1_crd_d)
    val A1_crd_w = Array.tabulate[T](A1_nnz_h) { i => A1_crd_h(i) }
    writeCSV1D(A1_crd_w, "A1_crd.csv", "\n")
    val A2_pos_h = getMem(A2_pos_d)
    val A2_pos_w = Array.tabulate[T](A1_nnz_h + 1) { i => A2_pos_h(i) }
    writeCSV1D(A2_pos_w, "A2_pos.csv", "\n")
    val A2_crd_h = getMem(A2_crd_d)
    val A2_crd_w = Array.tabulate[T](A2_pos_h(A1_nnz_h)) { i => A2_crd_h(i) }
    writeCSV1D(A2_crd_w, "A2_crd.csv", "\n")
    val A_vals_h = getMem(A_vals_d)
    val A_vals_w = Array.tabulate[V](A2_pos_h(A1_nnz_h)) { i => A_vals_h(i) }
    writeCSV1D(A_vals_w, "A_vals.csv", "\n")
  }
}
