//! Functions of numbers as arithmetic without branches, which LLVM vectorizes: within 1.1 ulp of the exact
//! value for `exp`, `expm1`, `log`, `log1p` and `sigmoid`, within 1.4 ulp for `tanh`. `float` is computed in
//! `double`.
//!
//! Arguments are reduced to a small interval, on which a polynomial or a quotient approximates the function:
//! `exp` after Cody and Waite with the terms of Taylor's series, the logarithms with the polynomial of
//! FreeBSD's `e_log.c` (Remez), `tanh` near 0 with the quotient of Cephes. What is added to a larger number
//! is kept to the last bit where it decides about the last bit of the result.

use comet_ir::{Builder, Compare, Result, Ty, Val, types};
use melior::ir::ValueLike;

/// A function that is computed by arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expanded {
    Exp,
    Expm1,
    Log,
    Log1p,
    Sigmoid,
    Tanh,
}

/// Computes a function of floating-point numbers, or of the lanes of a vector.
pub(crate) fn expand<'c>(b: Builder<'c>, function: Expanded, x: Val<'c>) -> Result<'c, Val<'c>> {
    let double = Ty::float64(b.context());
    let wide = b.convert(x, double)?;
    let math = Arithmetic::on(b, wide.r#type());
    let value = match function {
        Expanded::Exp => math.exp(wide),
        Expanded::Expm1 => math.expm1(wide),
        Expanded::Log => math.log(wide),
        Expanded::Log1p => math.log1p(wide),
        Expanded::Sigmoid => math.sigmoid(wide),
        Expanded::Tanh => math.tanh(wide),
    }?;
    // What is not a number stays as it is.
    let value = math.select((Compare::Ne, wide, wide), wide, value)?;
    b.convert(value, types::scalar(x.r#type()))
}

/// log₂ e.
const LOG2_E: f64 = std::f64::consts::LOG2_E;
/// ln 2 in two parts, the first of which has 32 bits, so that its products with exponents are exact.
const LN_2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];
/// A number of this size has no bits for fractions: adding it rounds, and leaves the integer in the last
/// bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;
/// The coefficients of eʳ from r¹³ down to r².
const EXPONENTIAL: [f64; 12] = [
    1.605_904_383_682_161_3e-10,
    2.087_675_698_786_81e-9,
    2.505_210_838_544_172e-8,
    2.755_731_922_398_589e-7,
    2.755_731_922_398_589_3e-6,
    2.480_158_730_158_73e-5,
    1.984_126_984_126_984e-4,
    1.388_888_888_888_889e-3,
    8.333_333_333_333_333e-3,
    4.166_666_666_666_666_4e-2,
    1.666_666_666_666_666_6e-1,
    5e-1,
];
/// The coefficients of log((1 + s) / (1 − s)) − 2s in s², from the last one on, over s.
const LOGARITHM: [f64; 7] = [
    1.479_819_860_511_658_6e-1,
    1.531_383_769_920_937_3e-1,
    1.818_357_216_161_805e-1,
    2.222_219_843_214_978_4e-1,
    2.857_142_874_366_239e-1,
    3.999_999_999_940_942e-1,
    6.666_666_666_666_735e-1,
];
/// The bits of √½: mantissas from there to √2 are near 1.
const ROOT_OF_HALF: i64 = 0x3fe6_a09e_667f_3bcd;

/// A sum of two numbers, the second of which is below the last bit of the first.
#[derive(Clone, Copy)]
struct Sum<'c> {
    high: Val<'c>,
    low: Val<'c>,
}

/// eˣ as 2ⁿ · (1 + t).
struct Power<'c> {
    /// n, as a floating-point number.
    exponent: Val<'c>,
    t: Sum<'c>,
}

/// log x as n · ln 2 + log(1 + f).
struct Logarithm<'c> {
    exponent: Val<'c>,
    /// From √½ − 1 to √2 − 1.
    f: Val<'c>,
}

/// Arithmetic on `double`, or on vectors of them.
#[derive(Clone, Copy)]
struct Arithmetic<'c> {
    b: Builder<'c>,
    float: Ty<'c>,
    int: Ty<'c>,
}

impl<'c> Arithmetic<'c> {
    fn on(b: Builder<'c>, float: Ty<'c>) -> Self {
        Self { b, float, int: types::same_lanes(float, types::int(b.context(), 64)) }
    }

    fn number(&self, number: f64) -> Result<'c, Val<'c>> {
        self.b.broadcast(self.b.number(types::scalar(self.float), number, 0)?, self.float)
    }

    fn integer(&self, number: i64) -> Result<'c, Val<'c>> {
        self.b.broadcast(self.b.int(types::scalar(self.int), number)?, self.int)
    }

    fn add(&self, x: Val<'c>, y: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value_op("add", x, y)
    }

    fn sub(&self, x: Val<'c>, y: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value_op("sub", x, y)
    }

    fn mul(&self, x: Val<'c>, y: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value_op("mul", x, y)
    }

    fn div(&self, x: Val<'c>, y: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value("arith.divf", &[x, y], self.float)
    }

    fn abs(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value("math.absf", &[x], self.float)
    }

    fn negate(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value("arith.negf", &[x], self.float)
    }

    fn bits(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value("arith.bitcast", &[x], self.int)
    }

    fn of_bits(&self, bits: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value("arith.bitcast", &[bits], self.float)
    }

    fn select(
        &self,
        (predicate, x, y): (Compare, Val<'c>, Val<'c>),
        then: Val<'c>,
        otherwise: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        self.b.select(self.b.cmpf(predicate, x, y)?, then, otherwise)
    }

    /// Replaces a value where a comparison of x with a number holds.
    fn unless(
        &self,
        value: Val<'c>,
        (x, predicate, number): (Val<'c>, Compare, f64),
        other: f64,
    ) -> Result<'c, Val<'c>> {
        self.select((predicate, x, self.number(number)?), self.number(other)?, value)
    }

    fn clamp(&self, x: Val<'c>, low: f64, high: f64) -> Result<'c, Val<'c>> {
        let raised = self.unless(x, (x, Compare::Lt, low), low)?;
        let lowered = self.unless(raised, (x, Compare::Gt, high), high)?;
        // NaN would be any exponent.
        self.select((Compare::Ne, x, x), self.number(0.0)?, lowered)
    }

    /// Returns the value of a polynomial whose coefficients are listed from the last one on.
    fn polynomial(&self, coefficients: &[f64], x: Val<'c>) -> Result<'c, Val<'c>> {
        let (first, others) = coefficients.split_first().expect("a polynomial has coefficients");
        others.iter().try_fold(self.number(*first)?, |value, coefficient| {
            self.add(self.mul(value, x)?, self.number(*coefficient)?)
        })
    }

    /// Returns x + y, where x is the larger one.
    fn sum(&self, x: Val<'c>, y: Val<'c>) -> Result<'c, Sum<'c>> {
        let high = self.add(x, y)?;
        let low = self.sub(y, self.sub(high, x)?)?;
        Ok(Sum { high, low })
    }

    fn round(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let rounder = self.number(ROUNDER)?;
        self.sub(self.add(x, rounder)?, rounder)
    }

    /// Returns 2ⁿ for an integer n from −1022 to 1023.
    fn power_of_two(&self, n: Val<'c>) -> Result<'c, Val<'c>> {
        let bits = self.bits(self.add(n, self.number(ROUNDER)?)?)?;
        let shifted = self.b.value("arith.shli", &[bits, self.integer(52)?], self.int)?;
        self.of_bits(self.b.addi(shifted, self.integer(1023 << 52)?)?)
    }

    /// Returns x · 2ⁿ for an integer n from −2044 to 2046, in two steps: 2ⁿ itself may be no number.
    fn scaled(&self, x: Val<'c>, n: Val<'c>) -> Result<'c, Val<'c>> {
        let half = self.round(self.mul(n, self.number(0.5)?)?)?;
        let once = self.mul(x, self.power_of_two(half)?)?;
        self.mul(once, self.power_of_two(self.sub(n, half)?)?)
    }

    fn power(&self, x: Val<'c>) -> Result<'c, Power<'c>> {
        let n = self.round(self.mul(x, self.number(LOG2_E)?)?)?;
        let coarse = self.sub(x, self.mul(n, self.number(LN_2[0])?)?)?;
        let rest = self.mul(n, self.number(LN_2[1])?)?;
        let r = self.sub(coarse, rest)?;
        let lost = self.sub(self.sub(coarse, r)?, rest)?;
        let square = self.mul(r, r)?;
        let beyond = self.mul(square, self.polynomial(&EXPONENTIAL, r)?)?;
        let beyond = self.add(beyond, self.add(lost, self.mul(lost, r)?)?)?;
        Ok(Power { exponent: n, t: self.sum(r, beyond)? })
    }

    fn exp(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let Power { exponent, t } = self.power(x)?;
        let exponent = self.clamp(exponent, -1100.0, 1100.0)?;
        let value = self.scaled(self.add(self.number(1.0)?, t.high)?, exponent)?;
        let value = self.unless(value, (x, Compare::Gt, 709.79), f64::INFINITY)?;
        self.unless(value, (x, Compare::Lt, -745.14), 0.0)
    }

    fn expm1(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let Power { exponent, t } = self.power(x)?;
        let one = self.number(1.0)?;
        let large = self.scaled(self.add(one, t.high)?, self.clamp(exponent, -60.0, 1100.0)?)?;
        // (2ⁿ − 1) + 2ⁿ · t, either of which may be the larger one.
        let scale = self.power_of_two(self.clamp(exponent, -60.0, 1000.0)?)?;
        let (first, second) = (self.sub(scale, one)?, self.mul(scale, t.high)?);
        let high = self.add(first, second)?;
        let taken = self.sub(high, first)?;
        let low = self.add(self.sub(first, self.sub(high, taken)?)?, self.sub(second, taken)?)?;
        let small = self.add(high, self.add(low, self.mul(scale, t.low)?)?)?;
        let value = self.select((Compare::Gt, exponent, self.number(60.0)?), large, small)?;
        let value = self.unless(value, (x, Compare::Gt, 709.79), f64::INFINITY)?;
        let value = self.unless(value, (x, Compare::Lt, -40.0), -1.0)?;
        // The sign of 0, and numbers whose squares are none.
        self.select((Compare::Lt, self.abs(x)?, self.number(1e-300)?), x, value)
    }

    fn logarithm(&self, x: Val<'c>) -> Result<'c, Logarithm<'c>> {
        let bits = self.bits(x)?;
        let above = self.b.addi(self.b.subi(bits, self.integer(ROOT_OF_HALF)?)?, self.integer(1 << 62)?)?;
        let biased = self.b.shift_right(above, self.integer(52)?)?;
        let exponent = self.b.subi(biased, self.integer(1024)?)?;
        let shifted = self.b.value("arith.shli", &[exponent, self.integer(52)?], self.int)?;
        let mantissa = self.of_bits(self.b.subi(bits, shifted)?)?;
        let rounder = self.number(ROUNDER)?;
        let exponent = self.of_bits(self.b.addi(exponent, self.bits(rounder)?)?)?;
        let f = self.sub(mantissa, self.number(1.0)?)?;
        Ok(Logarithm { exponent: self.sub(exponent, rounder)?, f })
    }

    /// Returns n · ln 2 + log(1 + f) + c, where c is small.
    fn joined(&self, Logarithm { exponent, f }: Logarithm<'c>, c: Val<'c>) -> Result<'c, Val<'c>> {
        let s = self.div(f, self.add(self.number(2.0)?, f)?)?;
        let z = self.mul(s, s)?;
        let rest = self.mul(z, self.polynomial(&LOGARITHM, z)?)?;
        let half = self.mul(self.number(0.5)?, self.mul(f, f)?)?;
        let low = self.add(self.mul(exponent, self.number(LN_2[1])?)?, c)?;
        let corrected = self.add(self.mul(s, self.add(half, rest)?)?, low)?;
        let high = self.mul(exponent, self.number(LN_2[0])?)?;
        self.sub(high, self.sub(self.sub(half, corrected)?, f)?)
    }

    fn log(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        // Numbers with less than 53 bits get the others.
        let is_small = (Compare::Lt, x, self.number(f64::MIN_POSITIVE)?);
        let scaled = self.select(is_small, self.mul(x, self.number((1_i64 << 54) as f64)?)?, x)?;
        let lift = self.select(is_small, self.number(54.0)?, self.number(0.0)?)?;
        let parts = self.logarithm(scaled)?;
        let parts = Logarithm { exponent: self.sub(parts.exponent, lift)?, ..parts };
        let value = self.joined(parts, self.number(0.0)?)?;
        let value = self.unless(value, (x, Compare::Eq, 0.0), f64::NEG_INFINITY)?;
        let value = self.unless(value, (x, Compare::Lt, 0.0), f64::NAN)?;
        self.unless(value, (x, Compare::Eq, f64::INFINITY), f64::INFINITY)
    }

    fn log1p(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let one = self.number(1.0)?;
        let u = self.add(one, x)?;
        let of_large = self.sub(one, self.sub(u, x)?)?;
        let of_small = self.sub(x, self.sub(u, one)?)?;
        let lost = self.select((Compare::Ge, x, one), of_large, of_small)?;
        let parts = self.logarithm(u)?;
        let value = self.joined(parts, self.div(lost, u)?)?;
        let value = self.unless(value, (x, Compare::Eq, -1.0), f64::NEG_INFINITY)?;
        let value = self.unless(value, (x, Compare::Lt, -1.0), f64::NAN)?;
        let value = self.unless(value, (x, Compare::Eq, f64::INFINITY), f64::INFINITY)?;
        self.select((Compare::Eq, x, self.number(0.0)?), x, value)
    }

    fn tanh(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let (one, two, size) = (self.number(1.0)?, self.number(2.0)?, self.abs(x)?);
        let power = self.exp(self.mul(two, size)?)?;
        let far = self.sub(one, self.div(two, self.add(power, one)?)?)?;
        let z = self.mul(size, size)?;
        let above = self.polynomial(
            &[-9.643_991_794_250_523e-1, -9.928_772_310_019_185e1, -1.614_687_684_417_084_5e3],
            z,
        )?;
        let below = self.polynomial(
            &[1.0, 1.128_116_784_916_329_3e2, 2.235_488_390_601_004_5e3, 4.844_063_053_251_255e3],
            z,
        )?;
        let near = self.add(size, self.mul(self.mul(size, z)?, self.div(above, below)?)?)?;
        let value = self.select((Compare::Lt, size, self.number(0.625)?), near, far)?;
        let value = self.unless(value, (size, Compare::Gt, 20.0), 1.0)?;
        self.b.value("math.copysign", &[value, x], self.float)
    }

    /// Of −|x|, whose exponential is at most 1: e / (1 + e), or 1 / (1 + e) for positive x.
    fn sigmoid(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let (zero, one) = (self.number(0.0)?, self.number(1.0)?);
        let z = self.negate(self.abs(x)?)?;
        let z = self.unless(z, (z, Compare::Lt, -800.0), -800.0)?;
        let Power { exponent, t } = self.power(z)?;
        let exponent = self.clamp(exponent, -1200.0, 0.0)?;
        let power = self.sum(one, t.high)?;
        let e = Sum {
            high: self.scaled(power.high, exponent)?,
            low: self.scaled(self.add(power.low, t.low)?, exponent)?,
        };
        let below = self.sum(one, e.high)?;
        let below = Sum { low: self.add(below.low, e.low)?, ..below };
        let is_negative = (Compare::Lt, x, zero);
        let above =
            Sum { high: self.select(is_negative, e.high, one)?, low: self.select(is_negative, e.low, zero)? };
        let quotient = self.div(above.high, below.high)?;
        let lost = self.sub(above.low, self.mul(quotient, below.low)?)?;
        self.add(quotient, self.div(lost, below.high)?)
    }
}
