// A histogram: modifications of a sparse SRAM at addresses that data decides, each kind of them.
import spatial.dsl._

@spatial object Histogram extends SpatialApp {
  type T = Int

  def main(args: Array[String]): Unit = {
    val n = 48
    val bins = 8
    val keys_d = DRAM[T](n)
    setMem(keys_d, Array.tabulate[T](n) { i => i * i % bins })
    val counts_d = DRAM[T](bins)
    val last_d = DRAM[T](bins)
    val out = ArgOut[T]

    Accel {
      val keys = SRAM[T](n)
      keys load keys_d(0::n par 16)
      val counts = SparseSRAM[T](bins)
      val lowest = SparseSRAM[T](bins)
      val highest = SparseSRAM[T](bins)
      val last = SparseSRAM[T](bins)
      Foreach (bins by 1 par 8) { i =>
        counts(i) = 0
        lowest(i) = n
        highest(i) = -1
        last(i) = 0
      }
      Foreach (n by 1 par 16) { i =>
        counts.RMW(keys(i), 1, "add", "unordered", Seq())
      }
      Foreach (n by 1 par 1) { i =>
        lowest.RMW(keys(i), i, "min", "ordered", Seq())
        highest.RMW(keys(i), i, op = "max", order = "ordered", bs = Seq())
        last.RMW(keys(i), i, "write", "ordered", Seq())
      }
      val spread = Reg[T](0)
      Reduce(spread)(bins by 1) { i =>
        val low = lowest.RMW(i, 0, "read", "ordered", Seq())
        mux(low < n, highest(i) - low, 0)
      } { _ + _ }
      out := spread
      counts_d(0::bins par 8) store counts
      last_d(0::bins par 8) store last
    }

    val counts_h = getMem(counts_d)
    val last_h = getMem(last_d)
    printArray(counts_h)
    assert(counts_h(0) == 12 && counts_h(1) == 24 && counts_h(4) == 12)
    assert(last_h(1) == 47)
    assert(getArg(out) == 134)
  }
}
