// How rounds overlap, what is said of memories, and elements of DRAM that are written one by one.
import spatial.dsl._
import spatial.metadata.memory.{Barrier => _, _}

object Pipelines_0 extends Pipelines()

@spatial abstract class Pipelines(bp: scala.Int = 2, ip: scala.Int = 16) extends SpatialApp {
  type T = Int

  def main(args: Array[String]): Unit = {
    val n = 8
    val x_d = DRAM[T](n * n)
    setMem(x_d, Array.tabulate[T](n * n) { i => i * 11 % 17 })
    val sums_d = DRAM[T](n)
    val mirrored_d = DRAM[T](n * n)

    Accel {
      val mirrored = SparseDRAM[T](bp)(n * n)
      mirrored.alias = mirrored_d
      val total = Reg[T](0.to[T])
      val all = SRAM[T](n).nonbuffer
      Foreach (n by 1 par ip) { k => all(k) = 0 }
      Foreach (n by 1 par 1) { i =>
        val row = SRAM[T](n).buffer
        Foreach (n by 1 par ip) { k => row(k) = 1 }
        val x = FIFO[T](16).retiming
        x load x_d(i * n::(i + 1) * n par ip)
        Foreach (n by 1 par 1) { k =>
          row(k) = row(k) + x.deq
        }
        Foreach (n by 1 par ip) { k =>
          mirrored(i * n + n - 1 - k) = row(k)
          all(k) = all(k) + row(k)
        }
      }
      Sequential.Foreach (n by 1) { i =>
        val before = Reg[T](0.to[T])
        before := total
        val sum = Reg[T](0.to[T])
        Sequential.Reduce(sum)(n by 1 par ip) { k =>
          all(k)
        } { _ + _ }
        total := before + sum
      }
      Stream.Foreach (2 by 1) { i =>
        val part = FIFO[T](16)
        Foreach (n / 2 by 1 par ip) { k => part.enq(all(n / 2 * i + k)) }
        sums_d stream_store_vec(n / 2 * i, part, n / 2)
      }
    }

    val mirrored_h = getMem(mirrored_d)
    val sums_h = getMem(sums_d)
    assert(mirrored_h(0) == 1 + 7 * 11 % 17)
    printArray(sums_h)
  }
}
