// What nothing has set cannot be fetched.
import spatial.dsl._

object ArgumentNotFetched_0 extends ArgumentNotFetched()

@spatial abstract class ArgumentNotFetched(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val n = ArgOut[T]
    Accel {
      val r = Reg[T](0)
    }
    println(getArg(n))
  }
}
