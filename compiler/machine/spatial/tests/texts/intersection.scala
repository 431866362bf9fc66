// The dot product of two sparse vectors: a reduction over the bits that both have, arguments of the scan by name.
import spatial.dsl._

@spatial object Intersection extends SpatialApp {
  type T = Int

  def main(args: Array[String]): Unit = {
    val n = 200
    val a_len = 20
    val b_len = 14
    val a_d = DRAM[T](a_len)
    val b_d = DRAM[T](b_len)
    setMem(a_d, (0 until a_len) { i => 10 * i })
    setMem(b_d, (0 until b_len) { i => 14 * i })
    val out = ArgOut[T]

    Accel {
      val a_crd = FIFO[T](16)
      a_crd load a_d(0::a_len)
      val b_crd = FIFO[T](16)
      b_crd load b_d(0::b_len)
      val a_bits = FIFO[U32](16)
      val b_bits = FIFO[U32](16)
      gen_bitvector(0, n, a_len, a_crd, a_bits)
      gen_bitvector(0, n, b_len, b_crd, b_bits)
      val both = Reg[T](0)
      Reduce(both)(ScanRed(count = n, mode = "and", par = 1, bvA = a_bits, bvB = b_bits)) { case List(i, a, c, b) =>
        i + a * 1000 + b * 100000 + c
      } { (x, y) => x + y }
      out := both.value
    }
    assert(getArg(out) == 1521213)
  }
}
