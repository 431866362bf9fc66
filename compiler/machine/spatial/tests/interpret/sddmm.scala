// Figure 4 of stardust.txt: a dense product sampled by a sparse matrix, streamed out.
// file B_dims.csv: 2 3 2
// file B2_pos.csv: 0 2 3
// file B2_crd.csv: 0 2 1
// file B_vals.csv: 2 3 5
// file C_vals.csv: 1 2 3 4
// file D_vals.csv: 1 2 3 4 5 6
import spatial.dsl._

object Sddmm_0 extends Sddmm()

@spatial abstract class Sddmm(bp: scala.Int = 2, ip: scala.Int = 16, nnz_max: scala.Int = 1000, nnz_accel_max: scala.Int = 64) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val B_dims_h = loadCSV1D[T]("B_dims.csv")
    val B2_pos_h = loadCSV1D[T]("B2_pos.csv")
    val B2_crd_h = loadCSV1D[T]("B2_crd.csv")
    val B_vals_h = loadCSV1D[T]("B_vals.csv")
    val C_vals_h = loadCSV1D[T]("C_vals.csv")
    val D_vals_h = loadCSV1D[T]("D_vals.csv")
    val B1_dim = ArgIn[T]
    val D1_dim = ArgIn[T]
    setArg(B1_dim, B_dims_h(0))
    setArg(D1_dim, B_dims_h(2))
    val B2_pos_d = DRAM[T](nnz_max)
    val B2_crd_d = DRAM[T](nnz_max)
    val B_vals_d = DRAM[T](nnz_max)
    val C_vals_d = DRAM[T](nnz_max)
    val D_vals_d = DRAM[T](nnz_max)
    val A2_pos_d = DRAM[T](nnz_max)
    val A_vals_d = DRAM[T](nnz_max)
    setMem(B2_pos_d, B2_pos_h)
    setMem(B2_crd_d, B2_crd_h)
    setMem(B_vals_d, B_vals_h)
    setMem(C_vals_d, C_vals_h)
    setMem(D_vals_d, D_vals_h)
    Accel {
      val B2_pos = SRAM[T](nnz_accel_max)
      B2_pos load B2_pos_d(0::(B1_dim + 1) par ip)
      val A2_pos = SRAM[T](nnz_accel_max)
      A2_pos(0) = 0
      Foreach(B1_dim by 1 par bp) { i =>
        val A_vals = FIFO[T](16)
        val jB_start = B2_pos(i)
        val jB_end = B2_pos(i + 1)
        val jB_len = jB_end - jB_start
        val B2_crd = FIFO[T](16)
        B2_crd load B2_crd_d(jB_start::jB_end par 1)
        val B_vals = FIFO[T](16)
        B_vals load B_vals_d(jB_start::jB_end par 1)
        Foreach(jB_len by 1 par 1) { jB =>
          val j = B2_crd.deq
          val B_hoisted = B_vals.deq
          val D_vals = SRAM[T](nnz_accel_max / 4)
          D_vals load D_vals_d(j * D1_dim::(j + 1) * D1_dim par ip)
          val C_vals = SRAM[T](nnz_accel_max / 4)
          C_vals load C_vals_d(i * D1_dim::(i + 1) * D1_dim par ip)
          val tjA_vals = Reg[T](0.to[T])
          Reduce(tjA_vals)(D1_dim by 1 par ip) { k =>
            (B_hoisted * C_vals(k)) * D_vals(k)
          } { _ + _ }
          A_vals.enq(tjA_vals)
        }
        A2_pos(i + 1) = jB_end
        A_vals_d stream_store_vec(jB_start, A_vals, jB_len)
      }
      A2_pos_d(0::(B1_dim + 1) par ip) store A2_pos
    }
    val A2_pos_h = getMem(A2_pos_d)
    val A_vals_h = getMem(A_vals_d)
    writeCSV1D(A2_pos_h, "A2_pos.csv")
    writeCSV1D(A_vals_h, "A_vals.csv")
  }
}
