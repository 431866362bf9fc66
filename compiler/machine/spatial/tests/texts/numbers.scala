// Every type, function and operator, and which of them bind tighter than others.
import spatial.dsl._

@spatial object Numbers extends SpatialApp {
  type Index = Int
  type I = Index

  def main(args: Array[String]): Unit = {
    val n: I = 16
    val half = 0.5
    val scale = ArgIn[Double]
    val offset = ArgIn[Long]
    setArg(scale, 2.5e0)
    setArg(offset, 3000000000L)
    val d_d = DRAM[Double](n)
    val f_d = DRAM[Float](n)
    val l_d = DRAM[Long](n)
    val u_d = DRAM[U32](n)
    val i_d = DRAM[Int](n)

    Accel {
      val d = SRAM[Double](n)
      val f = SRAM[Float](n)
      val l = SRAM[Long](n)
      val u = SRAM[U32](n)
      val k = SRAM[Int](n)
      val flags = FIFO[Bit](16)
      Foreach (n by 1) { i =>
        val x = i.to[Double] * scale - half
        d(i) = exp(-x / 16) + sqrt(abs(x)) - min(x, 3.0) * max(x, -1.25)
        f(i) = (x.to[Float] + 0.1) / 3
        l(i) = offset - i.to[Long] * 2 % 5
        u(i) = 0xFFFFFFFFL.to[U32] - i.to[U32]
        flags.enq(i >= 4 && (i < 9 || i == 12) && !(i != 5 && i <= 6))
      }
      Foreach (n by 1) { i =>
        val flag = flags.deq
        k(i) = mux(flag, -(i - (3 - 1)) * (i + 1) / (2 - 5) % 7, -(-1))
      }
      d_d(0::n) store d
      f_d(0::n) store f
      l_d(0::n) store l
      u_d(0::n) store u
      i_d(0::n) store k
    }

    val d_h = getMem(d_d)
    val f_h = getMem(f_d)
    val l_h = getMem(l_d)
    val u_h = getMem(u_d)
    val i_h = getMem(i_d)
    println("d(2) = " + d_h(2) + ", f(2) = " + f_h(2))
    assert(true || false)
    assert(d_h(2) > -10.6238 - 0.001 && d_h(2) < -10.6238 + 0.001)
    assert(f_h(2) > 1.53.to[Float] && f_h(2) < 1.54.to[Float])
    assert(l_h(3) == 2999999999L)
    assert(u_h(1) == 4294967294L)
    assert(i_h(4) == 1 && i_h(5) == 6 && i_h(7) == 6 && i_h(8) == 4)
  }
}
