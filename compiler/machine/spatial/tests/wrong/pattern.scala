### No counters
Foreach () { i => s(i) = 0 }
### No body
Foreach (3 by 1)
### A body without names
Foreach (3 by 1) { s(0) = 0 }
### More counters than names
Foreach (3 by 1, 4 by 1) { i => s(i) = 0 }
### More names than counters
Foreach (3 by 1) { (i, j) => s(i) = j }
### Names of a scan for a counter
Foreach (3 by 1) { case List(i) => s(i) = 0 }
### A capital in the pattern of a scan
Foreach (Scan(1, 4, "or", bv.deq, bw.deq)) { case List(I, a, out, b) => s(I) = 0 }
### A step twice
Foreach (3 by 1 by 2) { i => s(i) = 0 }
### A fraction of rounds
Foreach (2.5 by 1) { i => s(0) = 0 }
### A counter as a condition
Foreach (3 by 1) { i => if (i) { s(0) = 0 } }
### A counter outside
Foreach (3 by 1) { i => s(i) = 0 }
s(i) = 0
### Two counters of one name
Foreach (3 by 1, 4 by 1) { (i, i) => s(i) = 0 }
### A counter that is written
Foreach (3 by 1) { i => i = 4 }
### A name for a counter in front
Foreach (i = 3) { i => s(i) = 0 }
### A `Foreach` that gives something
val x = Foreach (3 by 1) { i => s(i) = 0 }
### A reduction without a way to combine
Reduce(r)(3 by 1) { i => s(i) }
### A reduction by a difference
Reduce(r)(3 by 1) { i => s(i) } { _ - _ }
### A reduction by nothing that combines two
Reduce(r)(3 by 1) { i => s(i) } { (a, b) => a + a }
### A reduction by a block
Reduce(r)(3 by 1) { i => s(i) } { (a, b) => val c = a; c + b }
### A reduction by a function that is none
Reduce(r)(3 by 1) { i => s(i) } { f }
### A reduction into an SRAM
Reduce(s)(3 by 1) { i => s(i) } { _ + _ }
### A reduction into a number
Reduce(0)(3 by 1) { i => s(i) } { _ + _ }
### A reduction of nothing
Reduce(r)(3 by 1) { i => s(i) = 0 } { _ + _ }
### A reduction of an empty body
Reduce(r)(3 by 1) { i => } { _ + _ }
### A reduction of values of another type
Reduce(r)(3 by 1) { i => em(i) } { _ + _ }
### A `Fold`
Fold(r)(3 by 1) { i => s(i) } { _ + _ }
### A reduction of memories into a register
MemReduce(r)(3 by 1) { i => s } { _ + _ }
### A reduction of memories that gives a value
MemReduce(s)(3 by 1) { i => s(i) } { _ + _ }
### A reduction of memories that gives a FIFO
MemReduce(s)(3 by 1) { i => f } { _ + _ }
### A reduction of memories of another type
MemReduce(s)(3 by 1) { i => em } { _ + _ }
### Another name for a memory
val t = MemReduce(s)(3 by 1) { i => m } { _ + _ }
### A scan of no bit vector
Foreach (Scan(1, 16, "or", f.deq)) { case List(i, a) => s(i) = a }
### A scan of an SRAM
Foreach (Scan(1, 16, "or", s)) { case List(i, a) => s(i) = a }
### A scan without a bit vector
Foreach (Scan(par=1, len=16)) { (a, i) => s(i) = a }
### A scan with an argument that it has not
Foreach (Scan(lanes=1, len=16, bv)) { (a, i) => s(i) = a }
### A scan of two that does not say which bits
Foreach (Scan(1, 16, bv, bw)) { case List(i, a, c, b) => s(i) = c }
### A scan with a way that there is not
Foreach (Scan(1, 16, "xor", bv, bw)) { case List(i, a, c, b) => s(i) = c }
### A scan of two with names for one
Foreach (Scan(1, 16, "or", bv, bw)) { (a, i) => s(i) = a }
### A scan of one with names for two
Foreach (Scan(1, 16, bv)) { case List(i, a, c, b) => s(i) = a }
### A scan that is a value
val x = Scan(1, 16, bv)
### Mistakes in several statements, each of which is told
Foreach (3 by 1) { i =>
  val x = y
  s(i) = x + z
  f.enq(2.5)
}
r := x
### A block of a pipeline
Pipe { s(0) = 1 }
