// A register is what was set last, from its initial value on; without rounds a reduction leaves it.
// file x.csv: 5 -2 7 11
import spatial.dsl._

object Registers_0 extends Registers()

@spatial abstract class Registers(ip: scala.Int = 16) extends SpatialApp {
  type T = Int
  type V = Double

  def main(args: Array[String]): Unit = {
    val x_h = loadCSV1D[T]("x.csv")
    val x_d = DRAM[T](8)
    setMem(x_d, x_h)
    val y_d = DRAM[T](8)
    Accel {
      val f = SRAM[T](4)
      f load x_d(0::4)
      val y = SRAM[T](8)
      val r = Reg[T](5)
      y(0) = r
      Reduce(r)(0 by 1) { i => f(i) } { _ + _ }
      y(1) = r
      Reduce(r)(4 by 1 par 4) { i => f(i) } { _ + _ }
      y(2) = r
      Reduce(r)(1 until 4 by 2) { i => f(i) } { (a, b) => min(a, b) }
      y(3) = r.value
      r := r + 1
      y(4) = r
      val s = Reg[T]
      y(5) = s
      y_d(0::6) store y
    }
    val y_h = getMem(y_d)
    writeCSV1D(y_h, "y.csv")
  }
}
