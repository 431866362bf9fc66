// A coordinate of a bit vector comes once.
// file crd.csv: 3 5 5
import spatial.dsl._

object BitsTwice_0 extends BitsTwice()

@spatial abstract class BitsTwice(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val crd_h = loadCSV1D[T]("crd.csv")
    val n = ArgIn[T]
    setArg(n, crd_h.length)
    val crd_d = DRAM[T](8)
    setMem(crd_d, crd_h)
    val sum = ArgOut[T]
    Accel {
      val crd_all = SRAM[T](8)
      crd_all load crd_d(0::n par 1)

      val crd = FIFO[T](16)
      val bits = FIFO[U32](32)
      Foreach(n by 1) { k =>
        crd.enq(crd_all(k))
      }
      gen_bitvector(0, 20, n, crd, bits)

      val s = Reg[T](0)
      Reduce(s)(Scan(1, 20, "or", bits.deq)) { case List(i, a) =>
        100 * a + i
      } { _ + _ }
      sum := s
    }
    println("sum " + getArg(sum))
  }
}
