// What the host has: arguments, arrays, lengths, texts.
// arguments: 3 0.5
import spatial.dsl._

object Host_0 extends Host()

@spatial abstract class Host(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val n = args(0).to[Int]
    val half = args(1).to[Double]
    val x_h = Array.tabulate[Int](n) { i => i * i + 1 }
    val x_d = DRAM[Int](n)
    setMem(x_d, x_h)
    val s = ArgOut[Int]
    Accel {
      val y = SRAM[Int](3)
      y load x_d(0::3)
      s := y(0) + y(1) + y(2)
    }
    println("n = " + n + ", half = " + half)
    println(x_h.length)
    printArray(x_h, "x:")
    assert(getArg(s) == 8)
  }
}
