// Scans of one bit vector: position and coordinate, coordinate and position, the coordinate alone, and bits that
// begin at a shift.
import spatial.dsl._

@spatial object ScanOne extends SpatialApp {
  def main(args: Array[String]) {
    type T = Int
    val len = 10
    val crd_d = DRAM[T](len)
    setMem(crd_d, Array.tabulate[T](len) { i => 100 + 3 * i })
    val y_d = DRAM[T](len)
    val sum = ArgOut[T]
    val largest = ArgOut[T]

    Accel {
      val y = SparseSRAM[T](len)
      val first = FIFO[T](16)
      first load crd_d(0::len par 1)
      val bits = FIFO[U32](16)
      gen_bitvector(100, 32, len, first, bits)
      Foreach (Scan(1, 32, "or", bits.deq)) { case List(i, a) =>
        y(a) = i * i
      }
      y_d(0::len) store y

      val second = FIFO[T](16)
      crd_d stream_load_vec(0, len, second)
      val more = FIFO[U32](16)
      gen_bitvector(100, 32, len, second, more)
      Reduce(sum)(ScanRed(16, 32, "or", more.deq)) { case List(i, a) =>
        i * (a + 1)
      } { _ + _ }

      val third = FIFO[T](16)
      crd_d.stream_load_vec(0, len, third)
      val last = FIFO[U32](16)
      gen_bitvector(100, 32, len, third.deq, last.deq)
      Reduce(largest)(Scan(16, 32, "or", last)) { case List(i, _) => i } { (a, b) => max(a, b) }
    }

    val y_h = getMem(y_d)
    assert(y_h(9) == 729)
    assert(getArg(sum) == 990)
    assert(getArg(largest) == 27)
  }
}
