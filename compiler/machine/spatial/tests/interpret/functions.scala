// Functions, comparisons and conditions.
import spatial.dsl._

object Functions_0 extends Functions()

@spatial abstract class Functions(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val n = ArgIn[Int]
    setArg(n, 4)
    val a = ArgOut[Double]
    val b = ArgOut[Int]
    val c = ArgOut[Int]
    Accel {
      a := abs(-2.5.to[Double]) + sqrt(6.25.to[Double]) + exp(0.to[Double])
      b := mux(n > 3 && n != 5, max(n, 7), min(n, 2))
      val r = Reg[Int](0)
      if (n == 4) {
        r := 1
      } else {
        r := 2
      }
      c := r
    }
  }
}
