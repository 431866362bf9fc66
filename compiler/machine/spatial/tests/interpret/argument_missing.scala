// An argument that is not given is a fault.
// arguments: 1
import spatial.dsl._

object ArgumentMissing_0 extends ArgumentMissing()

@spatial abstract class ArgumentMissing(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val s = ArgOut[Int]
    val n = ArgIn[Int]
    setArg(n, args(1).to[Int])
    Accel {
      s := n
    }
  }
}
