//! Functions of `double`.

use super::arithmetic::{Arithmetic, Rounded, Sum};
use comet_ir::{Compare, Result, Val};

/// log₂ e.
pub(super) const LOG2_E: f64 = std::f64::consts::LOG2_E;
/// ln 2 in two parts, the first of which has 32 bits, so that its products with exponents are exact.
pub(super) const LN_2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];
/// The coefficients of (eʳ − 1 − r) / r² from r¹⁰ down to 1, for |r| up to ln 2 / 2: within 2⁻⁶⁴ of eʳ.
pub(super) const EXPONENTIAL: [f64; 11] = [
    2.082_700_501_119_313e-9,
    2.511_202_986_873_967e-8,
    2.755_758_039_630_364_4e-7,
    2.755_723_487_982_046e-6,
    2.480_158_692_872_939_2e-5,
    1.984_126_989_636_986_7e-4,
    1.388_888_888_911_422_8e-3,
    8.333_333_333_317_039e-3,
    4.166_666_666_666_609_5e-2,
    1.666_666_666_666_668_2e-1,
    5e-1,
];
/// The same within 2⁻⁶⁸ of eʳ − 1.
const SMALL_EXPONENTIAL: [f64; 12] = [
    1.612_028_778_011_967_5e-10,
    2.092_261_847_129_350_5e-9,
    2.505_196_715_140_176_7e-8,
    2.755_724_872_817_257e-7,
    2.755_731_936_290_750_8e-6,
    2.480_158_735_360_379e-5,
    1.984_126_984_120_757_6e-4,
    1.388_888_888_887_023e-3,
    8.333_333_333_333_345e-3,
    4.166_666_666_666_669e-2,
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
/// The bits of 1.
const ONE: i64 = 1023 << 52;

/// eˣ as 2ⁿ · (1 + t).
struct Power<'c> {
    exponent: Rounded<'c>,
    t: Sum<'c>,
}

/// log x as n · ln 2 + log(1 + f).
pub(super) struct Logarithm<'c> {
    /// n, as a floating-point number.
    pub(super) exponent: Val<'c>,
    /// From √½ − 1 to √2 − 1.
    pub(super) f: Val<'c>,
}

impl<'c> Arithmetic<'c> {
    fn power(&self, x: Val<'c>) -> Result<'c, Power<'c>> {
        let n = self.rounded(self.times(x, LOG2_E)?)?;
        let coarse = self.sub(x, self.times(n.number, LN_2[0])?)?;
        let rest = self.times(n.number, LN_2[1])?;
        let r = self.sub(coarse, rest)?;
        let lost = self.sub(self.sub(coarse, r)?, rest)?;
        let square = self.mul(r, r)?;
        let beyond = self.add(self.mul(square, self.polynomial(&SMALL_EXPONENTIAL, r)?)?, lost)?;
        Ok(Power { exponent: n, t: self.sum(r, beyond)? })
    }

    pub(super) fn exp(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let (n, t) = self.power_in_one_part(self.limited(x, -746.0, 710.0)?)?;
        self.scaled(self.add(self.number(1.0)?, t)?, self.scale(n)?)
    }

    /// Returns n and t for eˣ = 2ⁿ · (1 + t).
    fn power_in_one_part(&self, x: Val<'c>) -> Result<'c, (Rounded<'c>, Val<'c>)> {
        let n = self.rounded(self.times(x, LOG2_E)?)?;
        let coarse = self.sub(x, self.times(n.number, LN_2[0])?)?;
        let r = self.sub(coarse, self.times(n.number, LN_2[1])?)?;
        Ok((n, self.add(r, self.mul(self.mul(r, r)?, self.polynomial(&EXPONENTIAL, r)?)?)?))
    }

    pub(super) fn expm1(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let limited = self.limited(x, -41.0, 710.0)?;
        let Power { exponent, t } = self.power(limited)?;
        let one = self.number(1.0)?;
        // 2ⁿ · (1 − 2⁻ⁿ + t), where 1 − 2⁻ⁿ is 0 or the larger part; from 2⁶⁰ on 1 is below the last bit.
        let inverse = self.b.subi(self.integer(0)?, exponent.bits)?;
        let inverse = self.power_of_two(inverse)?;
        let inverse =
            self.b.select(self.is(exponent.number, Compare::Gt, 60.0)?, self.number(0.0)?, inverse)?;
        let sum = self.sum(self.sub(one, inverse)?, t.high)?;
        let sum = self.add(sum.high, self.add(sum.low, t.low)?)?;
        let value = self.scaled(sum, self.scale(exponent)?)?;
        // The sign of 0, and numbers whose squares are none.
        self.select((Compare::Lt, self.abs(x)?, self.number(1e-300)?), x, value)
    }

    /// Of a positive number with 53 bits.
    pub(super) fn logarithm(&self, x: Val<'c>) -> Result<'c, Logarithm<'c>> {
        let above = self.b.addi(self.bits(x)?, self.integer(ONE - ROOT_OF_HALF)?)?;
        let biased = self.b.shift_right(above, self.integer(52)?)?;
        let mantissa = self.b.addi(self.bit_and(above, (1 << 52) - 1)?, self.integer(ROOT_OF_HALF)?)?;
        let f = self.sub(self.of_bits(mantissa)?, self.number(1.0)?)?;
        Ok(Logarithm { exponent: self.number_of(biased, 1023.0)?, f })
    }

    /// Returns n · ln 2 + log(1 + f) + c, where c is small.
    fn joined(&self, Logarithm { exponent, f }: Logarithm<'c>, c: Val<'c>) -> Result<'c, Val<'c>> {
        let s = self.div(f, self.add(self.number(2.0)?, f)?)?;
        let z = self.mul(s, s)?;
        let rest = self.mul(z, self.polynomial(&LOGARITHM, z)?)?;
        let half = self.times(self.mul(f, f)?, 0.5)?;
        let low = self.add(self.times(exponent, LN_2[1])?, c)?;
        let corrected = self.add(self.mul(s, self.add(half, rest)?)?, low)?;
        let high = self.times(exponent, LN_2[0])?;
        self.sub(high, self.sub(self.sub(half, corrected)?, f)?)
    }

    /// Returns a positive number with 53 bits, and by which power of two it is greater than x.
    pub(super) fn normalized(&self, x: Val<'c>) -> Result<'c, (Val<'c>, Val<'c>)> {
        let is_small = self.is(x, Compare::Lt, f64::MIN_POSITIVE)?;
        let scaled = self.b.select(is_small, self.times(x, (1_i64 << 54) as f64)?, x)?;
        Ok((scaled, self.b.select(is_small, self.number(54.0)?, self.number(0.0)?)?))
    }

    pub(super) fn log(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let (scaled, lift) = self.normalized(x)?;
        let parts = self.logarithm(scaled)?;
        let parts = Logarithm { exponent: self.sub(parts.exponent, lift)?, ..parts };
        let value = self.joined(parts, self.number(0.0)?)?;
        self.at_limits_of_log(value, x, 0.0)
    }

    pub(super) fn log1p(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let one = self.number(1.0)?;
        let u = self.add(one, x)?;
        let of_large = self.sub(one, self.sub(u, x)?)?;
        let of_small = self.sub(x, self.sub(u, one)?)?;
        let lost = self.select((Compare::Ge, x, one), of_large, of_small)?;
        let parts = self.logarithm(u)?;
        let value = self.joined(parts, self.div(lost, u)?)?;
        self.with_sign_of(self.at_limits_of_log(value, x, -1.0)?, x)
    }

    /// Replaces logarithms that are no numbers: −∞ at `zero`, NaN below it, and ∞.
    pub(super) fn at_limits_of_log(&self, value: Val<'c>, x: Val<'c>, zero: f64) -> Result<'c, Val<'c>> {
        let nothing = self.unless(self.number(f64::NAN)?, (x, Compare::Eq, zero), f64::NEG_INFINITY)?;
        let value = self.b.select(self.is(x, Compare::Gt, zero)?, value, nothing)?;
        self.unless(value, (x, Compare::Eq, f64::INFINITY), f64::INFINITY)
    }

    pub(super) fn tanh(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
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
        self.with_sign_of(value, x)
    }

    /// Of −|x|, whose exponential is at most 1: e / (1 + e), or 1 / (1 + e) for positive x.
    pub(super) fn sigmoid(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let one = self.number(1.0)?;
        let z = self.negate(self.abs(x)?)?;
        let z = self.unless(z, (z, Compare::Lt, -746.0), -746.0)?;
        let (n, t) = self.power_in_one_part(z)?;
        let power = self.sum(one, t)?;
        let scale = self.scale(n)?;
        let e = Sum { high: self.scaled(power.high, scale)?, low: self.scaled(power.low, scale)? };
        let below = self.sum(one, e.high)?;
        let below_low = self.add(below.low, e.low)?;
        let is_negative = self.is(x, Compare::Lt, 0.0)?;
        let quotient = self.div(self.b.select(is_negative, e.high, one)?, below.high)?;
        let low = self.b.select(is_negative, e.low, self.number(0.0)?)?;
        let lost = self.sub(low, self.mul(quotient, below_low)?)?;
        // 1 / (1 + e), of which a few bits are enough.
        let inverse = self.b.select(is_negative, self.sub(one, quotient)?, quotient)?;
        self.add(quotient, self.mul(lost, inverse)?)
    }
}
