// A product of matrices as a sum of outer products: rounds that each give a memory.
import spatial.dsl._

@spatial object OuterProduct extends SpatialApp {
  type T = Int

  def main(args: Array[String]): Unit = {
    val n = 4
    val inner = 6
    // A by columns, B by rows.
    val a_d = DRAM[T](n * inner)
    val b_d = DRAM[T](n * inner)
    val c_d = DRAM[T](n * n)
    setMem(a_d, Array.tabulate[T](n * inner) { i => i % 5 - 1 })
    setMem(b_d, Array.tabulate[T](n * inner) { i => i % 7 - 2 })

    Accel {
      val c = SRAM[T](n * n)
      Foreach (n * n by 1) { i =>
        c(i) = 0
      }
      MemReduce(c par 4)(inner by 1 par 2) { k =>
        val a = SRAM[T](n)
        val b = SRAM[T](n)
        a load a_d(k * n::(k + 1) * n par n)
        b load b_d(k * n::(k + 1) * n par n)
        val p = SRAM[T](n * n)
        Foreach (0 until n, 0 until n par 4) { (i, j) =>
          p(i * n + j) = a(i) * b(j)
        }
        p
      } { _ + _ }
      c_d(0::n * n par 16) store c
    }

    val c_h = getMem(c_d)
    assert(c_h(0) == 5)
    assert(c_h(6) == -3)
    assert(c_h(15) == 10)
  }
}
