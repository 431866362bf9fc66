### No class
import spatial.dsl._
### A type outside of classes
type T = Int
### No `main`
@spatial object K extends SpatialApp { type T = Int }
### Two applications
@spatial object K extends SpatialApp { def main(args: Array[String]) { Accel { } } }
@spatial object L extends SpatialApp { def main(args: Array[String]) { Accel { } } }
### A class beside the application
@spatial object K extends SpatialApp { def main(args: Array[String]) { Accel { } } }
class Other
### Two classes that extend the application
@spatial abstract class K(n: scala.Int = 3) extends SpatialApp { def main(args: Array[String]) { Accel { } } }
object K_0 extends K()
object K_1 extends K(2)
### A parameter without a value
@spatial class K(n: scala.Int) extends SpatialApp { def main(args: Array[String]) { Accel { } } }
### A parameter that is computed
@spatial class K(n: scala.Int = 2 * 3) extends SpatialApp { def main(args: Array[String]) { Accel { } } }
### A parameter that is no integer
@spatial class K(n: String = "a") extends SpatialApp { def main(args: Array[String]) { Accel { } } }
### A value for a parameter that there is not
@spatial abstract class K(n: scala.Int = 3) extends SpatialApp { def main(args: Array[String]) { Accel { } } }
object K_0 extends K(m = 2)
### More values than parameters
@spatial abstract class K() extends SpatialApp { def main(args: Array[String]) { Accel { } } }
object K_0 extends K(2)
### Two parameters of one name
@spatial class K(n: scala.Int = 3, n: scala.Int = 4) extends SpatialApp { def main(args: Array[String]) { Accel { } } }
### Another function than `main`
@spatial object K extends SpatialApp { def f(x: Int): Int = x; def main(args: Array[String]) { Accel { } } }
### No `Accel`
@spatial object K extends SpatialApp { def main(args: Array[String]) { println("a") } }
### Two `Accel` blocks
@spatial object K extends SpatialApp { def main(args: Array[String]) { Accel { }; Accel { } } }
### An `Accel` block that never ends
@spatial object K extends SpatialApp { def main(args: Array[String]) { Accel(*) { } } }
### A `main` that is no block
@spatial object K extends SpatialApp { def main(args: Array[String]): Unit = 3 }
### A type that is there already
@spatial object K extends SpatialApp { type Int = Long; def main(args: Array[String]) { Accel { } } }
### A type that there is not
@spatial object K extends SpatialApp { type T = Quaternion; def main(args: Array[String]) { Accel { } } }
### A type of Spatial that there is not here
@spatial object K extends SpatialApp { type T = FixPt[TRUE, _16, _16]; def main(args: Array[String]) { Accel { } } }
### Arguments that are no text
@spatial object K extends SpatialApp { override def runtimeArgs: Args = 3; def main(args: Array[String]) { Accel { } } }
### A tensor without levels
// tensor A: Double operand
@spatial object K extends SpatialApp { def main(args: Array[String]) { Accel { } } }
### A tensor with a level of no kind
// tensor A: Double [i0: D, i1: Z] operand
@spatial object K extends SpatialApp { def main(args: Array[String]) { Accel { } } }
### A tensor with one mode twice
// tensor A: Double [i0: D, i0: CU] operand
@spatial object K extends SpatialApp { def main(args: Array[String]) { Accel { } } }
### A mode with tiles of two sizes
// tensor A: Double [i0/16: D, i0%8: CU] operand
@spatial object K extends SpatialApp { def main(args: Array[String]) { Accel { } } }
### A tile that is there before its number
// tensor A: Double [i0%16: D, i0/16: CU] operand
@spatial object K extends SpatialApp { def main(args: Array[String]) { Accel { } } }
### Tiles of no size
// tensor A: Double [i0/0: D, i0%0: CU] operand
@spatial object K extends SpatialApp { def main(args: Array[String]) { Accel { } } }
### A tensor of no type
// tensor A: Quaternion [i0: D] operand
@spatial object K extends SpatialApp { def main(args: Array[String]) { Accel { } } }
### A tensor for nothing
// tensor A: Double [i0: D] temporary
@spatial object K extends SpatialApp { def main(args: Array[String]) { Accel { } } }
### One tensor twice
// tensor A: Double [i0: D] operand
// tensor A: Double [i0: D] result
@spatial object K extends SpatialApp { def main(args: Array[String]) { Accel { } } }
