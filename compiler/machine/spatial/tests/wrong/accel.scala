### A name that is not declared
s(0) = y
### A name that is declared elsewhere
Foreach (3 by 1) { i => val y = i; s(i) = y }
s(0) = y
### An element of an SRAM that is taken as from a FIFO
val x = s.deq
### A read-modify-write of a dense SRAM
s.RMW(0, 1, "add", "ordered", Seq())
### A modification that there is not
sp.RMW(0, 1, "multiply", "ordered", Seq())
### An order that there is not
sp.RMW(0, 1, "add", "any", Seq())
### A modification without an order
sp.RMW(0, 1, "add")
### Barriers without `Seq`
sp.RMW(0, 1, "add", "ordered", bar.push)
### A barrier that is none
sp.RMW(0, 1, "add", "ordered", Seq(r.push))
### A barrier without what is done with it
sp.RMW(0, 1, "add", "ordered", Seq(bar))
### A barrier as a value
val x = bar
### A barrier of no tokens
val b = Barrier[Int](0)
### A write to a value
val v = 3
v = 4
### A write to a register without `:=`
r = 4
### A write to an element of a DRAM
d(0) = 4
### A transfer to a sparse DRAM
sd load d(0::16)
### A write to a value's element
val v = 3
v(0) = 4
### An SRAM that is set
s := 4
### A value that is set
val v = 3
v := 4
### An SRAM as a value
val x = s
### A FIFO as a value
val x = f + 1
### An element of a FIFO by its place
val x = f(3)
### An element of a DRAM
val x = d(3)
### A DRAM as a value
val x = d
### A value of the host that is not known before it runs
val x = n1
### An array of the host
val x = h(0)
### An argument of the program
val x = args(0).to[T]
### A text
val x = "a"
### An output as a value
val x = out + 1
### An addition to an SRAM
s.enq(3)
### A transfer the wrong way round
d load s(0::3)
### A transfer to a register
r load d(0::3)
### A transfer of no range
s load d(3)
### A transfer of one SRAM to another
s load m(0::3)
### A transfer of nothing
s load 3
### A transfer between types
s load e(0::3)
### A transfer of a range of two dimensions
s load d(0::3, 0::3)
### A stream to an SRAM
d stream_load_vec(0, 3, s)
### A stream with too few arguments
d stream_store_vec(0, f)
### A stream from an SRAM
s stream_load_vec(0, 3, f)
### A bit vector of words that are none
gen_bitvector(0, 16, 3, f, g)
### A bit vector of values
gen_bitvector(0, 16, 3, ef, bv)
### A DRAM on the accelerator
val x = DRAM[T](3)
### A memory that there is not here
val x = LUT[T](3)(1, 2, 3)
### A memory of two dimensions
val x = SRAM[T](3, 4)
### An element of a memory of two dimensions
val x = s(3, 4)
### A memory that is a value
s(0) = SRAM[T](3)
### A pattern that is a value
s(0) = Foreach (3 by 1) { i => s(i) = 0 }
### A sparse SRAM without its copies
val x = SparseParSRAM[T](16)
### A register of another type
val x = Reg[T](2.5)
### A method that there is not
f.peek(3)
### A function that there is not
val x = log(3.0)
### A value that nobody uses
r + 1
### A function
def f(x: T) = x
### A type
type X = Int
### A branch without a value
val x = if (r > 0) 3
### A branch with an effect
val x = if (r > 0) f.deq else 0
### A condition that is none
if (r) { s(0) = 1 }
### A condition as a number
s(0) = r > 3
### A choice without a condition
val x = mux(r, 1, 2)
### A negation of a number
val x = !r
### A sum of conditions
val x = (r > 0) + 1
### Numbers of different types
val x = s(0) + em(0)
### A fraction for an integer
s(0) = 2.5
### A fraction of an integer
s(0) = r * 0.5
### An address that is none
val x = s(2.5)
### The exponential of an integer
val x = exp(r)
### Too many arguments
val x = min(1, 2, 3)
### A shift
val x = r << 2
### Scala's addition
r += 2
### A conversion to nothing
val x = r.to
### A block as a value
val x = { val y = 3; y }
### Several values
val x = (1, 2)
### What is no call
val x = (1 + 2)(3)
