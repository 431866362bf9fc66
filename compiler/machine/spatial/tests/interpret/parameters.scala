// Parameters can be given anew; too small ones are found where they matter.
// file A_dims.csv: 3 4
// file A2_pos.csv: 0 2 2 5
// file A2_crd.csv: 0 3 0 1 2
// file A_vals.csv: 1.5 2 3 4 5.25
// file x_vals.csv: 1 2 3 4
// parameter nnz_accel_max: 3
import spatial.dsl._

object Parameters_0 extends Parameters()

@spatial abstract class Parameters(bp: scala.Int = 2, ip: scala.Int = 16, nnz_max: scala.Int = 1000, nnz_accel_max: scala.Int = 64) extends SpatialApp {
  type T = Int
  type V = Float

  def main(args: Array[String]): Unit = {
    val A_dims_h = loadCSV1D[T]("A_dims.csv")
    val A2_pos_h = loadCSV1D[T]("A2_pos.csv")
    val A2_crd_h = loadCSV1D[T]("A2_crd.csv")
    val A_vals_h = loadCSV1D[V]("A_vals.csv")
    val x_vals_h = loadCSV1D[V]("x_vals.csv")
    val A1_dim = ArgIn[T]
    val A2_dim = ArgIn[T]
    setArg(A1_dim, A_dims_h(0))
    setArg(A2_dim, A_dims_h(1))
    val A2_pos_d = DRAM[T](nnz_max)
    val A2_crd_d = DRAM[T](nnz_max)
    val A_vals_d = DRAM[V](nnz_max)
    val x_vals_d = DRAM[V](nnz_max)
    val y_vals_d = DRAM[V](nnz_max)
    setMem(A2_pos_d, A2_pos_h)
    setMem(A2_crd_d, A2_crd_h)
    setMem(A_vals_d, A_vals_h)
    setMem(x_vals_d, x_vals_h)
    Accel {
      val A2_pos = SRAM[T](nnz_accel_max)
      A2_pos load A2_pos_d(0::(A1_dim + 1) par ip)
      val x_vals = SparseParSRAMSwizzle[V](bp)(nnz_accel_max, true)
      x_vals load x_vals_d(0::A2_dim par ip)
      val y_vals = SRAM[V](nnz_accel_max)
      Foreach(A1_dim by 1 par bp) { i =>
        val jA_start = A2_pos(i)
        val jA_end = A2_pos(i + 1)
        val jA_len = jA_end - jA_start
        val A2_crd = FIFO[T](16)
        A2_crd load A2_crd_d(jA_start::jA_end par 1)
        val A_vals = FIFO[V](16)
        A_vals load A_vals_d(jA_start::jA_end par 1)
        val y_sum = Reg[V](0.to[V])
        Reduce(y_sum)(jA_len by 1 par ip) { jA =>
          A_vals.deq * x_vals(A2_crd.deq)
        } { _ + _ }
        y_vals(i) = y_sum
      }
      y_vals_d(0::A1_dim par ip) store y_vals
    }
    val y_vals_h = getMem(y_vals_d)
    writeCSV1D(y_vals_h, "y_vals.csv")
  }
}
