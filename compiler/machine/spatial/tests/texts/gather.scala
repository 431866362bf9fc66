// Reads at addresses that data decides: from sparse DRAMs of one and of two copies, and sparse SRAMs of each kind.
import spatial.dsl._
import spatial.metadata.memory.{Barrier => _, _}

object Gather_0 extends Gather(ip = 8)

@spatial abstract class Gather(bp: scala.Int = 2, ip: scala.Int = 16) extends SpatialApp {
  type T = Int

  def main(args: Array[String]): Unit = {
    val n = 64
    val x_d = DRAM[T](n)
    val z_d = DRAM[T](n)
    val crd_d = DRAM[T](n)
    val y_d = DRAM[T](n)
    val w_d = DRAM[T](n)
    val v_d = DRAM[T](n)
    setMem(x_d, Array.tabulate[T](n) { i => 3 * i })
    setMem(z_d, Array.tabulate[T](n) { i => 5 * i })
    setMem(crd_d, Array.tabulate[T](n) { i => i * 13 % n })

    Accel {
      val crd = SRAM[T](n)
      crd load crd_d(0::n par ip)
      val y = SRAM[T](n)
      val x_any = SparseDRAM[T](1)(n)
      x_any.alias = x_d
      val z_any = SparseDRAM[T](bp)(n)
      z_any.alias = z_d
      Foreach (n by 1 par ip) { i =>
        y(i) = x_any(crd(i)) + z_any(crd(i))
      }
      y_d(0::n par ip) store y

      val x = SparseParSRAM[T](bp)(n, true)
      x load x_d(0::n par ip)
      val z = SparseParSRAMSwizzle[T](bp)(n, true)
      z load z_d(0::n par ip)
      val w = SRAM[T](n)
      val v = SRAM[T](n)
      Foreach (0 until n by n / 2 par bp) { block =>
        Foreach (n / 2 by 1 par ip) { i =>
          w(block + i) = x(crd(block + i)) - 1
          v(block + i) = z(crd(block + i)) - 1
        }
      }
      w_d(0::n par ip) store w
      v_d(0::n par ip) store v
    }

    val y_h = getMem(y_d)
    val w_h = getMem(w_d)
    val v_h = getMem(v_d)
    assert(y_h(5) == 8)
    assert(y_h(63) == 408)
    assert(w_h(63) == 152)
    assert(v_h(5) == 4)
  }
}
