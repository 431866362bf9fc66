### A character of no word
@spatial object K extends SpatialApp { val x = § }
### A string that does not end
@spatial object K extends SpatialApp { def main(args: Array[String]) { println("x) } }
### A comment that does not end
@spatial object K extends SpatialApp { /* def main(args: Array[String]) { } /* */ }
### An escape that there is not
@spatial object K extends SpatialApp { def main(args: Array[String]) { println("\x") } }
### An interpolated text
@spatial object K extends SpatialApp { def main(args: Array[String]) { println(s"$x") } }
### A block that does not end
@spatial object K extends SpatialApp {
  def main(args: Array[String]): Unit = {
    Accel {
  }
}
### A statement outside of classes
val x = 3
### Two statements in a line
@spatial object K extends SpatialApp { def main(args: Array[String]) { val x = 3 val y = 4 } }
### A value that is missing
@spatial object K extends SpatialApp { def main(args: Array[String]) { val x = } }
### A list that does not end
@spatial object K extends SpatialApp { def main(args: Array[String]) { setArg(n, 3; } }
### A name that is missing
@spatial object K extends SpatialApp { def main(args: Array[String]) { val = 3 } }
### Nothing to read
// nothing
### A `var`
@spatial object K extends SpatialApp { def main(args: Array[String]) { var x = 3 } }
### A loop of Scala
@spatial object K extends SpatialApp { def main(args: Array[String]) { for (i <- 0 until 3) println(i) } }
### An object
@spatial object K extends SpatialApp { def main(args: Array[String]) { val x = new SRAM[Int](3) } }
### An exception
@spatial object K extends SpatialApp { def main(args: Array[String]) { throw x } }
### A sign behind a sign
@spatial object K extends SpatialApp { def main(args: Array[String]) { val x = - -3 } }
### A choice by patterns
@spatial object K extends SpatialApp { def main(args: Array[String]) { val x = args(0) match { case _ => 3 } } }
### Several values by one `val`
@spatial object K extends SpatialApp { def main(args: Array[String]) { val (x, y) = (1, 2) } }
### A class in a class
@spatial object K extends SpatialApp { class L }
### A number of more than 64 bits
@spatial object K extends SpatialApp { val n = 9223372036854775808 }
### A fraction that no double is
@spatial object K extends SpatialApp { val n = 1e999 }
### A number with 65 bits in hexadecimal digits
@spatial object K extends SpatialApp { val n = 0x10000000000000000 }
### Brackets in brackets without end
@spatial object K extends SpatialApp { val n = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((( }
