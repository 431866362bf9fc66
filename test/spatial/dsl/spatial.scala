// A stand-in for the library that applications of Spatial import. It gives the constructs that comet writes their types,
// and nothing a meaning, so that `scalac` can say whether an application is well-formed:
//
//   scalac -Ystop-after:refchecks test/spatial/dsl/spatial.scala application.scala
//
// Numbers are Scala's own, where Spatial has types of its own for the values of hardware: what tells these from the host's
// is not checked here, but by comet's reader.
package spatial

import scala.language.implicitConversions

object dsl {
  class spatial extends scala.annotation.StaticAnnotation

  trait SpatialApp {
    def main(args: scala.Array[String]): Unit
  }

  // ---- types of values ----

  type Bit = Boolean
  type I32 = Int

  // Words of bit vectors.
  class U32 {
    def +(other: U32): U32 = ???
    def -(other: U32): U32 = ???
  }

  // The types that memories hold.
  class Bits[T]
  implicit val bitsOfInt = new Bits[Int]
  implicit val bitsOfLong = new Bits[Long]
  implicit val bitsOfFloat = new Bits[Float]
  implicit val bitsOfDouble = new Bits[Double]
  implicit val bitsOfBoolean = new Bits[Boolean]
  implicit val bitsOfWord = new Bits[U32]

  // `x.to[T]` of numbers, words and arguments of the command line.
  class Converts { def to[T: Bits]: T = ??? }
  implicit def convertsLong(x: Long): Converts = ???
  implicit def convertsFloat(x: Float): Converts = ???
  implicit def convertsDouble(x: Double): Converts = ???
  implicit def convertsText(x: String): Converts = ???
  implicit def convertsWord(x: U32): Converts = ???

  // `a until b by c par p`, `n by c par p` and `a::b par p`; the last binds to the right, so b has the method.
  class Counts extends Converts {
    def until(end: Int): Series = ???
    def by(step: Int): Series = ???
    def par(lanes: Int): Series = ???
    def ::(start: Int): Series = ???
  }
  implicit def countsInt(x: Int): Counts = ???
  implicit def countsArgument(x: ArgIn[Int]): Counts = ???
  implicit def countsRegister(x: Register[Int]): Counts = ???

  class Series {
    def by(step: Int): Series = ???
    def par(lanes: Int): Series = ???
    def apply[A](element: Int => A): HostArray[A] = ???
  }

  // Conversions of Predef with these names would be as good as those above, and scalac would take neither.
  val intWrapper, longWrapper, floatWrapper, doubleWrapper = ()
  val augmentString, wrapString, any2stringadd = ()

  // ---- the host ----

  class HostArray[T] {
    def apply(i: Int): T = ???
    def length: Int = ???
    def size: Int = ???
  }
  object Array {
    def tabulate[T](n: Int)(element: Int => T): HostArray[T] = ???
    def fill[T](n: Int)(element: => T): HostArray[T] = ???
  }

  def setArg[T](argument: ArgIn[T], x: T): Unit = ???
  def getArg[T](argument: ArgOut[T]): T = ???
  def setMem[T](memory: DRAM[T], x: HostArray[T]): Unit = ???
  def getMem[T](memory: DRAM[T]): HostArray[T] = ???
  def loadCSV1D[T: Bits](file: String, delimiter: String = ","): HostArray[T] = ???
  def writeCSV1D[T](x: HostArray[T], file: String, delimiter: String = ","): Unit = ???
  def printArray[T](x: HostArray[T], title: String = ""): Unit = ???
  def assert(condition: Bit): Unit = ???

  // ---- memories ----

  class ArgIn[T] { def value: T = ??? }
  object ArgIn { def apply[T: Bits]: ArgIn[T] = ??? }
  class ArgOut[T] extends Register[T]
  object ArgOut { def apply[T: Bits]: ArgOut[T] = ??? }
  implicit def valueOfArgument[T](x: ArgIn[T]): T = ???

  class Register[T] {
    def value: T = ???
    def :=(x: T): Unit = ???
    def buffer: Register[T] = ???
    def nonbuffer: Register[T] = ???
  }
  object Reg {
    def apply[T: Bits]: Register[T] = ???
    def apply[T: Bits](initial: T): Register[T] = ???
  }
  implicit def valueOfRegister[T](x: Register[T]): T = ???

  // What transfers move: a memory, or the part of one that a series names.
  class OffChip[T] {
    def store(source: OnChip[T]): Unit = ???
  }
  trait OnChip[T] {
    def load(source: OffChip[T]): Unit = ???
  }

  class DRAM[T] extends OffChip[T] {
    def apply(part: Series): OffChip[T] = ???
    // Of any DRAM, to a FIFO of integers.
    def stream_load_vec(base: Int, length: Int, target: FIFO[Int]): Unit = ???
    def stream_store_vec(base: Int, source: FIFO[T], length: Int): Unit = ???
  }
  object DRAM { def apply[T: Bits](n: Int): DRAM[T] = ??? }

  class SRAM[T] extends OnChip[T] {
    def apply(address: Int): T = ???
    def update(address: Int, x: T): Unit = ???
    def buffer: SRAM[T] = ???
    def nonbuffer: SRAM[T] = ???
  }
  object SRAM { def apply[T: Bits](n: Int): SRAM[T] = ??? }

  class SparseSRAM[T] extends SRAM[T] {
    def RMW(address: Int, x: T, operator: String, order: String, barriers: Seq[Token]): T = ???
    def barrierRead(address: Int, barriers: Seq[Token]): T = ???
    def barrierWrite(address: Int, x: T, barriers: Seq[Token]): Unit = ???
    override def buffer: SparseSRAM[T] = ???
    override def nonbuffer: SparseSRAM[T] = ???
  }
  object SparseSRAM { def apply[T: Bits](n: Int): SparseSRAM[T] = ??? }
  object SparseParSRAM { def apply[T: Bits](copies: Int)(n: Int, all: Boolean): SparseSRAM[T] = ??? }
  // Elements of a DRAM: they are accessed as those of a memory on chip.
  object SparseDRAM { def apply[T: Bits](copies: Int)(n: Int): SparseSRAM[T] = ??? }
  object SparseParSRAMSwizzle { def apply[T: Bits](copies: Int)(n: Int, all: Boolean): SparseSRAM[T] = ??? }

  class FIFO[T] extends OnChip[T] {
    def enq(x: T): Unit = ???
    def enq(x: T, condition: Bit): Unit = ???
    def deq: T = ???
    def retiming: FIFO[T] = ???
  }
  object FIFO { def apply[T: Bits](depth: Int): FIFO[T] = ??? }

  class Token
  class Barrier {
    def push: Token = ???
    def pop: Token = ???
  }
  object Barrier { def apply[T](tokens: Int): Barrier = ??? }

  // ---- patterns ----

  object Accel { def apply(body: => Any): Unit = ??? }

  // Scans of one vector give a list of two, a coordinate and a position, those of two a list of four.
  class Scanned
  object Scan {
    def apply(par: Int, count: Int, mode: String, bv: U32): Scanned = ???
    def apply(par: Int, count: Int, mode: String, bvA: U32, bvB: U32): Scanned = ???
  }
  val ScanRed = Scan
  def gen_bitvector(shift: Int, max: Int, length: Int, coordinates: FIFO[Int], words: FIFO[U32]): Unit = ???

  class Patterns {
    def apply(rounds: Series)(body: Int => Any): Unit = ???
    def apply(outer: Series, inner: Series)(body: (Int, Int) => Any): Unit = ???
    def apply(bits: Scanned)(body: List[Int] => Any): Unit = ???
  }

  class Reduction[T] {
    def apply(rounds: Series)(body: Int => T)(combine: (T, T) => T): Register[T] = ???
    def apply(outer: Series, inner: Series)(body: (Int, Int) => T)(combine: (T, T) => T): Register[T] = ???
    def apply(bits: Scanned)(body: List[Int] => T)(combine: (T, T) => T): Register[T] = ???
  }

  class Lanes[T]
  implicit class MemoryWithLanes[T](memory: SRAM[T]) { def par(lanes: Int): Lanes[T] = ??? }
  class ReductionOfMemories[T] {
    def apply(rounds: Series)(body: Int => SRAM[T])(combine: (T, T) => T): SRAM[T] = ???
  }

  // How rounds overlap.
  class Schedule {
    object Foreach extends Patterns
    def Reduce[T](result: Register[T]): Reduction[T] = ???
    def MemReduce[T](result: Lanes[T]): ReductionOfMemories[T] = ???
  }
  object Pipe extends Schedule
  object Sequential extends Schedule
  object Stream extends Schedule
  object Foreach extends Patterns
  def Reduce[T](result: Register[T]): Reduction[T] = ???
  def MemReduce[T](result: Lanes[T]): ReductionOfMemories[T] = ???

  // ---- operators that are no methods of numbers ----

  def mux[T](condition: Bit, yes: T, no: T): T = ???
  def min[T](a: T, b: T): T = ???
  def max[T](a: T, b: T): T = ???
  def abs[T](a: T): T = ???
  def exp[T](a: T): T = ???
  def sqrt[T](a: T): T = ???
}

package metadata {
  object memory {
    import dsl._

    // What the accesses of a `SparseDRAM` are of. A `Barrier` of this package is another one than the language's.
    class Barrier
    implicit class Aliased[T](memory: SparseSRAM[T]) {
      def alias: DRAM[T] = ???
      def alias_=(elements: DRAM[T]): Unit = ???
    }
  }
}
