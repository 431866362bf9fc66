// The sum of two sparse vectors: bit vectors from coordinates, a scan of both, what is absent by `mux`. With 600
// bits, a bit vector has more than one chunk of 512.
import spatial.dsl._

@spatial object Union extends SpatialApp {
  type T = Int
  type V = Float

  def main(args: Array[String]): Unit = {
    val n = 600
    val a_len = 8
    val b_len = 6
    val a_crd_d = DRAM[T](a_len)
    val a_vals_d = DRAM[V](a_len)
    val b_crd_d = DRAM[T](b_len)
    val b_vals_d = DRAM[V](b_len)
    val c_crd_d = DRAM[T](16)
    val c_vals_d = DRAM[V](16)
    setMem(a_crd_d, Array.tabulate[T](a_len) { i => 70 * i + 1 })
    setMem(a_vals_d, Array.tabulate[V](a_len) { i => i.to[V] + 0.5 })
    setMem(b_crd_d, Array.tabulate[T](b_len) { i => 105 * i + 1 })
    setMem(b_vals_d, Array.tabulate[V](b_len) { i => 10.0 * i.to[V] })
    setMem(c_crd_d, Array.fill[T](16)(0))
    setMem(c_vals_d, Array.fill[V](16) { 0 })
    val c_len = ArgOut[T]

    Accel {
      val a_crd = FIFO[T](16)
      a_crd load a_crd_d(0::a_len par 1)
      val a_bits = FIFO[U32](32)
      gen_bitvector(0, n, a_len, a_crd, a_bits)
      val b_crd = FIFO[T](16)
      b_crd load b_crd_d(0::b_len par 1)
      val b_bits = FIFO[U32](32)
      gen_bitvector(0, n, b_len, b_crd, b_bits)
      val a_vals = SparseSRAM[V](16)
      a_vals load a_vals_d(0::a_len par 16)
      val b_vals = SparseSRAM[V](16)
      b_vals load b_vals_d(0::b_len par 16)
      val c_crd = FIFO[T](16)
      val c_vals = FIFO[V](16)
      val count = Reg[T](0)
      Foreach (Scan(1, n, "or", a_bits.deq, b_bits.deq)) { case List(i, a, c, b) =>
        val a_here = mux(a >= 0, a_vals(a), 0)
        val b_here = mux(b >= 0, b_vals(b), 0)
        c_crd.enq(i)
        c_vals.enq(a_here + b_here)
        count := c + 1
      }
      c_crd_d stream_store_vec(0, c_crd, count)
      c_vals_d stream_store_vec(0, c_vals, count)
      c_len := count
    }

    val crd = getMem(c_crd_d)
    val vals = getMem(c_vals_d)
    assert(getArg(c_len) == 11)
    assert(crd(2) == 106)
    assert(vals(2) == 10.0)
    assert(crd(4) == 211)
    assert(vals(4) == 23.5)
    assert(crd(10) == 526)
    assert(vals(10) == 50.0)
  }
}
