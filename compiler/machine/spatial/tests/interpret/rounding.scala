// `Float` rounds to single precision, `Double` to double.
import spatial.dsl._

object Rounding_0 extends Rounding()

@spatial abstract class Rounding(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val a = ArgOut[Float]
    val b = ArgOut[Double]
    val c = ArgOut[Int]
    val d = ArgOut[Float]
    Accel {
      val r = Reg[Float](0.1.to[Float])
      Reduce(r)(10 by 1) { i => 0.1.to[Float] } { _ + _ }
      a := r
      val s = Reg[Double](0.1)
      Reduce(s)(10 by 1) { i => 0.1.to[Double] } { _ + _ }
      b := s
      c := (s * 100).to[Int]
      d := 1.to[Float] / 3
    }
  }
}
