// What is even goes one way, what is odd another: branches, additions to FIFOs under a condition, an element that
// nobody needs, as many elements stored as there are.
import spatial.dsl._

@spatial object Filter extends SpatialApp {
  type T = Int

  def main(args: Array[String]): Unit = {
    val n = 40
    val a_d = DRAM[T](n)
    val even_d = DRAM[T](n)
    val large_d = DRAM[T](n)
    val zeros = Array.fill[T](n)(0)
    setMem(a_d, Array.tabulate[T](n) { i => i * 7 % 31 })
    setMem(even_d, zeros)
    setMem(large_d, zeros)
    val evens = ArgOut[T]
    val odds = ArgOut[T]

    Accel {
      val a = SRAM[T](n)
      a load a_d
      val even = FIFO[T](16)
      val large = FIFO[T](16)
      val count = Reg[T](0)
      val larger = Reg[T](0)
      val odd = Reg[T](0)
      Foreach (n by 1) { i =>
        val x = a(i)
        if (x % 2 == 0) {
          even.enq(x)
          count := count + 1
        } else if (x > 20) {
          odd := odd + x
        } else {
          odd := odd - x
        }
        val is_large = x >= 10 && !(x == 12 || x == 13)
        large.enq(x, is_large)
        if (is_large) larger := larger + 1
      }
      even_d stream_store_vec(0, even, count)
      large.deq
      large_d.stream_store_vec(0, large, larger - 1)
      evens := count
      odds := odd
    }

    val even_h = getMem(even_d)
    val large_h = getMem(large_d)
    assert(getArg(evens) == 21)
    assert(getArg(odds) == 53)
    assert(even_h(1) == 14)
    assert(large_h(0) == 21)
  }
}
