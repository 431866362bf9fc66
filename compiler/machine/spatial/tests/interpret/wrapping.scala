// Integers wrap at the width of their type.
import spatial.dsl._

object Wrapping_0 extends Wrapping()

@spatial abstract class Wrapping(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val a = ArgOut[Int]
    val b = ArgOut[Long]
    val c = ArgOut[U32]
    val d = ArgOut[Int]
    Accel {
      val r = Reg[Int](2147483647)
      r := r + 1
      a := r
      val s = Reg[Long](2147483647)
      s := s + 1
      b := s
      val u = Reg[U32](0)
      u := u - 1
      c := u
      d := 70000.to[Int] * 70000
    }
  }
}
