import spatial.dsl._

// C[10 * i0 + i1, 16 * j0 + j1] += A[10 * i0 + i1, 8 * k0 + k1] * B[8 * k0 + k1, 16 * j0 + j1]
// tensor C: Float [i0/10: D, i1/16: D, i0%10: D, i1%16: D] result
// tensor A: Float [i0/10: D, i1/8: D, i0%10: D, i1%8: CU] operand
// tensor B: Float [i1/16: D, i0/8: D, i0%8: D, i1%16: D] operand
object K0_0 extends K0()

@spatial abstract class K0(bp: scala.Int = 2, ip: scala.Int = 16, nnz_max: scala.Int = 16777216, nnz_accel_max: scala.Int = 65536) extends SpatialApp {
  type T = Int
  type V = Float

  def main(args: Array[String]): Unit = {
    val C_dims_h = loadCSV1D[T]("C_dims.csv", "\n")
    val C2_dim = ArgIn[T]
    setArg(C2_dim, (C_dims_h(1) + 15) / 16)
    val C_vals_d = DRAM[V]((C_dims_h(0) + 9) / 10 * ((C_dims_h(1) + 15) / 16) * 10 * 16)
    val A_dims_h = loadCSV1D[T]("A_dims.csv", "\n")
    val A1_dim = ArgIn[T]
    setArg(A1_dim, (A_dims_h(0) + 9) / 10)
    val A2_dim = ArgIn[T]
    setArg(A2_dim, (A_dims_h(1) + 7) / 8)
    val A4_pos_h = loadCSV1D[T]("A4_pos.csv", "\n")
    val A4_pos_d = DRAM[T](A4_pos_h.length)
    setMem(A4_pos_d, A4_pos_h)
    val A4_crd_h = loadCSV1D[T]("A4_crd.csv", "\n")
    val A4_crd_d = DRAM[T](A4_crd_h.length)
    setMem(A4_crd_d, A4_crd_h)
    val A_vals_h = loadCSV1D[V]("A_vals.csv", "\n")
    val A_vals_d = DRAM[V](A_vals_h.length)
    setMem(A_vals_d, A_vals_h)
    val B_dims_h = loadCSV1D[T]("B_dims.csv", "\n")
    val B1_dim = ArgIn[T]
    setArg(B1_dim, (B_dims_h(1) + 15) / 16)
    val B2_dim = ArgIn[T]
    setArg(B2_dim, (B_dims_h(0) + 7) / 8)
    val B_vals_h = loadCSV1D[V]("B_vals.csv", "\n")
    val B_vals_d = DRAM[V](B_vals_h.length)
    setMem(B_vals_d, B_vals_h)
    Accel {
      Foreach (A1_dim by 1 par bp) { i0 =>
        Foreach (B1_dim by 1 par 1) { j0 =>
          val C_vals = SRAM[V](160).buffer
          Foreach (10 * 16 by 1 par ip) { z =>
            C_vals(z) = 0.to[V]
          }
          MemFold(C_vals par ip)(A2_dim by 1 par 4) { k0 =>
            val B_vals = SRAM[V](nnz_accel_max)
            B_vals load B_vals_d((j0 * B2_dim + k0) * (8 * 16)::(j0 * B2_dim + k0 + 1) * (8 * 16) par ip)
            val C_vals_part = SRAM[V](160).buffer
            Foreach (160 by 1 par ip) { z =>
              C_vals_part(z) = 0.to[V]
            }
            val A4_pos = SRAM[T](nnz_accel_max)
            A4_pos load A4_pos_d((i0 * A2_dim + k0) * 10::((i0 * A2_dim + k0 + 1) * 10 + 1) par ip)
            Foreach (10 by 1 par 1) { i1 =>
              val k1A_start = A4_pos(i1)
              val k1A_end = A4_pos(i1 + 1)
              val k1A_len = k1A_end - k1A_start
              val A4_crd = FIFO[T](16)
              A4_crd load A4_crd_d(k1A_start::k1A_end par 1)
              val A_vals = FIFO[V](16)
              A_vals load A_vals_d(k1A_start::k1A_end par 1)
              Foreach (k1A_len by 1 par 1) { k1A =>
                val k1 = A4_crd.deq
                val A_hoisted = A_vals.deq
                Foreach (16 by 1 par ip) { j1 =>
                  C_vals_part(i1 * 16 + j1) = C_vals_part(i1 * 16 + j1) + A_hoisted * B_vals(k1 * 16 + j1)
                }
              }
            }
            C_vals_part
          } { _ + _ }
          C_vals_d((i0 * C2_dim + j0) * (10 * 16)::(i0 * C2_dim + j0 + 1) * (10 * 16) par ip) store C_vals
        }
      }
    }
    val C_vals_h = getMem(C_vals_d)
    val C_vals_w = Array.tabulate[V]((C_dims_h(0) + 9) / 10 * ((C_dims_h(1) + 15) / 16) * 10 * 16) { i => C_vals_h(i) }
    writeCSV1D(C_vals_w, "C_vals.csv", "\n")
  }
}
