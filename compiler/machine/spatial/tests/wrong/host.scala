### A name that is not declared
val x = y + 1
### A function that there is not
val x = f(3)
### A name that is declared twice
val x = 3
val x = 4
### An on-chip memory
val m = SRAM[T](16)
### A pattern
Foreach (3 by 1) { i => println(i) }
### A transfer
s load d(0::3)
### A register that is set
r := 3
### An assignment
h(0) = 3
### A branch
if (n0 > 3) println("a")
### A value that nobody uses
3 + 4
### An argument as a number
setArg(n, args(0) * 2)
### An argument that is no number
setArg(n, args(0))
### An array for an argument
setArg(n, h)
### A value for a DRAM
setArg(d, 3)
### A DRAM for an array
setMem(h, d)
### A value for an array
setMem(d, 3)
### Elements of another type
setMem(d, Array.tabulate[Double](16) { i => 0.5 })
### An array as a value
val x = h + 1
### Elements of an argument
val x = n(0)
### An array of the accelerator that is none
val x = getMem(h)
### An argument that is none
val x = getArg(d)
### The length of a DRAM
val x = d.length
### Too few arguments
setArg(n)
### Too many arguments
println(1, 2)
### A name for an argument that has none
setArg(n, value = 3)
### An argument of no such name
writeCSV1D(h, path = "a.csv")
### An argument twice
writeCSV1D(h, "a.csv", filename = "b.csv")
### An argument that is missing
writeCSV1D(h)
### A file that is no text
val x = loadCSV1D[T](3)
### A file without a type
val x = loadCSV1D("a.csv")
### A delimiter that there is not here
val x = loadCSV1D[T]("a.csv", ";")
### An array of several dimensions
val x = DRAM[T](3, 4)
### A DRAM without a type
val x = DRAM(3)
### A DRAM of a fraction of elements
val x = DRAM[T](2.5)
### An array without a function
val x = Array.tabulate[T](3)
### An array over a range from 1 on
val x = (1 until 5) { i => i }
### A method that there is not
val x = h.reverse
### A text where a number is expected
val x: T = "a"
### A condition that is none
assert(n0 + 1)
### A fraction for an integer
setArg(n, 2.5)
### Types that differ
val x = getArg(n) + 2.5.to[Double]
