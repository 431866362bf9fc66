// Barriers between accesses of sparse SRAMs: reads wait for the writes of their round, writes of a round for the
// reads of the one before. A token is for all rounds of an access together that there are inside of the block that
// declares the barrier: `backward` begins with one, which lets the first writes pass, and all of them.
import spatial.dsl._

@spatial object Barriers extends SpatialApp {
  override def runtimeArgs: Args = "32"
  type T = Int

  def main(args: Array[String]): Unit = {
    val n = 128
    val tile = 32
    val out = ArgOut[T]
    val swapped = ArgOut[T]

    Accel {
      val s = SparseParSRAM[T](2)(n, false)
      Reduce(out)(n by tile par 2) { i =>
        val forward = Barrier[Token](0)
        val backward = Barrier[Token](init=1)
        Foreach(tile by 1 par 16) { j =>
          s.barrierWrite(i + j, 2 * i + j, Seq(forward.push, backward.pop))
        }
        Reduce(Reg[T])(tile by 1 par 16) { j =>
          s.barrierRead(i + j, Seq(forward.pop, backward.push))
        } { _ + _ }
      } { _ + _ }

      val t = SparseSRAM[T](tile)
      val ready = Barrier[Token](0)
      Foreach (tile by 1 par 16) { j =>
        t.barrierWrite(tile - j - 1, j, Seq(ready.push))
      }
      Foreach (tile par 16) { j =>
        t.RMW(j, 1, "add", "unordered", Seq(ready.pop))
      }
      Reduce(swapped)(4 by 1) { j =>
        t.barrierRead(j, Seq())
      } { _ + _ }
    }

    assert(getArg(out) == 14272)
    assert(getArg(swapped) == 122)
  }
}
