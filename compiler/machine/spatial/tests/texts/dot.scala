// A dot product, tile by tile: a reduction whose rounds are what another reduction gives.
import spatial.dsl._

@spatial object Dot extends SpatialApp {
  type T = Int

  def main(args: Array[String]): Unit = {
    val n = 64
    val tile = 16
    val a_h = Array.tabulate[T](n) { i => i % 7 - 3 }
    val b_h = Array.tabulate[T](n) { i => 2 * i + 1 }
    val a_d = DRAM[T](n)
    val b_d = DRAM[T](n)
    setMem(a_d, a_h)
    setMem(b_d, b_h)
    val out = ArgOut[T]

    Accel {
      Reduce(out)(n by tile) { i =>
        val a = SRAM[T](tile)
        val b = SRAM[T](tile)
        a load a_d(i::i + tile par 16)
        b load b_d(i::(i + tile) par 16)
        Reduce(Reg[T](0.to[T]))(tile by 1 par 16) { j =>
          a(j) * b(j)
        } { _ + _ }
      } { _ + _ }
    }

    val result = getArg(out)
    println("dot: " + result)
    assert(result == 123)
  }
}
