// A[i,j] = B[i,j] * C[i,k] * D[k,j], as stardust.txt has it in figure 4: a product of two dense matrices where a
// third is stored. D is stored by columns.
import spatial.dsl._

object SDDMM_0 extends SDDMM()

@spatial abstract class SDDMM(bp: scala.Int = 1, ip: scala.Int = 16) extends SpatialApp {
  type T = Int

  def main(args: Array[String]): Unit = {
    // Row i of B has columns i and i + 2.
    val rows = 4
    val columns = 6
    val inner = 5
    val B2_pos_d = DRAM[T](rows + 1)
    val B2_crd_d = DRAM[T](2 * rows)
    val B_vals_d = DRAM[T](2 * rows)
    val C_vals_d = DRAM[T](rows * inner)
    val D_vals_d = DRAM[T](columns * inner)
    val A2_pos_d = DRAM[T](rows + 1)
    val A2_crd_d = DRAM[T](2 * rows)
    val A_vals_d = DRAM[T](2 * rows)
    setMem(B2_pos_d, Array.tabulate[T](rows + 1) { i => 2 * i })
    setMem(B2_crd_d, Array.tabulate[T](2 * rows) { n => n / 2 + 2 * (n % 2) })
    setMem(B_vals_d, Array.tabulate[T](2 * rows) { n => n + 1 })
    setMem(C_vals_d, Array.tabulate[T](rows * inner) { n => n - 3 })
    setMem(D_vals_d, Array.tabulate[T](columns * inner) { n => n % 4 + 1 })
    val C1_dim = ArgIn[T]
    val C2_dim = ArgIn[T]
    val D1_dim = ArgIn[T]
    val B1_dim = ArgIn[T]
    setArg(C1_dim, rows)
    setArg(C2_dim, inner)
    setArg(D1_dim, inner)
    setArg(B1_dim, rows)

    Accel {
      val B2_pos = SRAM[T](64)
      B2_pos load B2_pos_d(0::(B1_dim + 1) par ip)
      val A2_pos = SRAM[T](64)
      A2_pos(0) = 0
      Foreach (C1_dim by 1 par bp) { i =>
        val A_vals = FIFO[T](16)
        val A2_crd = FIFO[T](16)
        val jB_start = B2_pos(i)
        val jB_end = B2_pos((i + 1))
        val jB_len = jB_end - jB_start
        val B2_crd = FIFO[T](16)
        B2_crd load B2_crd_d(jB_start::jB_end par 1)
        val B_vals = FIFO[T](16)
        B_vals load B_vals_d(jB_start::jB_end par 1)
        Foreach (jB_len by 1 par 1) { jB =>
          val j = B2_crd.deq
          val B_hoisted = B_vals.deq
          val D_vals = SRAM[T]((64 / 4))
          D_vals load D_vals_d(j*D1_dim::(j+1)*D1_dim par ip)

          val C_vals = SRAM[T]((64 / 4))
          C_vals load C_vals_d(i*C2_dim::(i+1)*C2_dim par ip)

          val tjA_vals = Reg[T](0.to[T])
          Reduce(tjA_vals)(D1_dim by 1 par ip) { k =>
            ((B_hoisted * C_vals(k)) * D_vals(k))
          } { _ + _ }
          A_vals.enq(tjA_vals)
          A2_crd.enq(j)
        }
        A2_pos(i + 1) = jB_end
        A_vals_d stream_store_vec(jB_start, A_vals, jB_len)
        A2_crd_d stream_store_vec(jB_start, A2_crd, jB_len)
      }
      A2_pos_d(0::(B1_dim + 1) par ip) store A2_pos
    }

    val A_vals_h = getMem(A_vals_d)
    val A2_crd_h = getMem(A2_crd_d)
    val A2_pos_h = getMem(A2_pos_d)
    printArray(A_vals_h, "A: ")
    assert(A2_pos_h(4) == 8)
    assert(A2_crd_h(7) == 5)
    assert(A_vals_h(0) == -9)
    assert(A_vals_h(7) == 1328)
  }
}
