// What the stand-in for Spatial's library must not let through: each line that ends with `wrong`, and no other. Each is
// a function, as an error may hide another of the same block.
import spatial.dsl._

class Wrong {
  type T = Int
  type V = Double

  val n = ArgIn[T]
  val a_d = DRAM[V](100)
  val a = SRAM[V](16)
  val crd = FIFO[T](16)
  val bits = FIFO[U32](16)
  val sum = Reg[V](0.to[V])

  def right1() = a load a_d(0::n par 16)
  def right2() = crd.enq(crd.deq + 1)
  def right3() = Reduce(sum)(n by 1 par 16) { i => a(i) } { _ + _ }
  def right4() = Foreach (Scan(1, 32, "or", bits.deq)) { case List(i, p) => a(i) = sum }

  def memory() = DRAM[String](16) // wrong
  def files() = setMem(a_d, loadCSV1D[T]("b.csv", "\n")) // wrong
  def load() = crd load a_d(0::n par 16) // wrong
  def enqueue() = crd.enq("1") // wrong
  def element() = crd(0) = 1 // wrong
  def modified() = a.RMW(0, 1.5, "add", "ordered", Seq()) // wrong
  def register() = sum := "0" // wrong
  def reduced() = Reduce(sum)(n by 1 par 16) { i => "a" } { _ + _ } // wrong
  def counter() = Foreach (a by 1) { i => a(i) } // wrong
  def words() = gen_bitvector(0, 16, n, crd, crd) // wrong
  def scanned() = Foreach (Scan(1, 32, "or", crd.deq)) { case List(i, p) => a(i) = sum } // wrong
  def name() = missing(0) // wrong
}
