/* What can be said in several ways, said in the other ones: dotted calls, ranges by `until` and without steps,
   functions in parentheses, blocks on lines of their own /* and comments in comments */. */
package kernels

import spatial.dsl._
import spatial.metadata.memory.{Barrier => _, _}

// What comes of it is the same as elsewhere.
@spatial
object Spellings extends SpatialApp with Runnable {
  type Number = Int
  type T = Number; val n = 32

  def main(arguments: Array[String]): Unit =
  {
    val a_d = DRAM[T](n); val b_d = DRAM[T](n)
    val c_d = DRAM[T](n)
    setMem(a_d, Array.tabulate[T](n)(i => i + 1))
    setMem(b_d, (0 until n) { i => if (i % 2 == 0) i else -i })
    val out = ArgOut[T]
    val least = ArgOut[T]
    Accel
    {
      val a = SRAM[T](n)
      a.load(a_d(0 until n par 16))
      val b = FIFO[T](16)
      b_d.stream_load_vec(0,
        n,
        b)
      val c = SRAM[T](n)
      Sequential.Foreach(0 until n by 1 par 1) { i => c(i) = a(i) + b.deq() }
      c_d(0::n).store(c)

      Pipe.Foreach(n.by(8).par(2)) { tile =>
        Foreach(0 until 8 par 8)(i => c(tile + i) = a(tile + i) max 5)
      }
      val product = Reg[T]()
      product := 1
      Stream.Foreach(1 until 5) { case i =>
        product := product.value * i
      }
      val s = Reduce(Reg[T](0.to[T]))(0 until 2, 0 until 16 par 16) { (i: Int, j: Int) =>
        c(i * 16 +
          j)
      } {_+_}
      out := s.value + product
      val last = Reduce(product)(n by 1)(i => c(i)) { case (x, y) => y min x }
      least := last
      Foreach(n until n + 4) { i =>
        val square = {
          c(i - n)
        }
        a(i - n) = if (square >= 100) square else 100
      }
      c_d store c
      val more = FIFO[T](16)
      more load c_d(0::4)
      c_d(28::32) store more
      a_d(0::4) store a
    }
    writeCSV1D(getMem(c_d), "c.csv")
    printArray(getMem(a_d), "a: ")
    assert(getArg(out) == 562, "a sum")
    assert(getArg(least) == 5)
  }
}
