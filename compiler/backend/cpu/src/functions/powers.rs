//! Powers: 2 to the y · log₂|x|, where the logarithm and the product are sums of two numbers, and the cases
//! that C's `pow` lists.

use super::arithmetic::{Arithmetic, Sum};
use super::double::EXPONENTIAL;
use comet_ir::{Compare, Result, Val};
use melior::ir::ValueLike;

/// The coefficients of (artanh(s) / s − 1 − s²/3) / s⁴ in s², from the last one on: within 2⁻⁶⁶ of artanh.
const LOGARITHM: [f64; 7] = [
    6.597_907_414_089_381e-2,
    6.628_436_972_849_04e-2,
    7.693_377_440_206_728e-2,
    9.090_892_210_584_671e-2,
    1.111_111_125_964_764_9e-1,
    1.428_571_428_505_157_3e-1,
    2.000_000_000_000_112_5e-1,
];
/// ⅓, 2 / ln 2 and ln 2, each in two parts.
const THIRD: [f64; 2] = [1.0 / 3.0, 1.850_371_707_708_594e-17];
const TWO_OVER_LN_2: [f64; 2] = [2.885_390_081_777_926_8, 4.071_054_748_186_206_6e-17];
const LN_2: [f64; 2] = [std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17];
/// Beyond this, 2 to the power is 0 or ∞.
const LIMIT: f64 = 1100.0;

/// How xʸ of positive numbers is computed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Precision {
    Double,
    Single,
}

impl<'c> Arithmetic<'c> {
    pub(super) fn pow(&self, x: Val<'c>, y: Val<'c>, precision: Precision) -> Result<'c, Val<'c>> {
        let size = self.abs(x)?;
        let value = match precision {
            Precision::Double => self.power_of_positive(size, y)?,
            Precision::Single => self.power_of_positive_single(size, y)?,
        };
        // Also to the power of ∞.
        let value = self.unless(value, (size, Compare::Eq, 1.0), 1.0)?;
        let zero_or_infinite = self.power_of_limit(size, y)?;
        let is_limit =
            self.either(self.is(size, Compare::Eq, 0.0)?, self.is(size, Compare::Eq, f64::INFINITY)?)?;
        let value = self.b.select(is_limit, zero_or_infinite, value)?;
        let value = self.with_sign_of_power(value, x, y)?;
        // Sums with NaN are NaN, and others are compared with nothing.
        let value = self.select((Compare::Ne, x, x), x, value)?;
        let value = self.select((Compare::Ne, y, y), y, value)?;
        let is_one = self.either(self.is(x, Compare::Eq, 1.0)?, self.is(y, Compare::Eq, 0.0)?)?;
        self.b.select(is_one, self.number(1.0)?, value)
    }

    fn either(&self, x: Val<'c>, y: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value("arith.ori", &[x, y], x.r#type())
    }

    fn both(&self, x: Val<'c>, y: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value("arith.andi", &[x, y], x.r#type())
    }

    /// Returns xʸ of 0 and ∞.
    fn power_of_limit(&self, size: Val<'c>, y: Val<'c>) -> Result<'c, Val<'c>> {
        let grows = self.bit_xor(self.is(size, Compare::Eq, 0.0)?, self.is(y, Compare::Gt, 0.0)?)?;
        self.b.select(grows, self.number(f64::INFINITY)?, self.number(0.0)?)
    }

    /// The sign is that of x where y is odd; powers of negative numbers are NaN unless y is an integer.
    fn with_sign_of_power(&self, value: Val<'c>, x: Val<'c>, y: Val<'c>) -> Result<'c, Val<'c>> {
        let half = self.times(y, 0.5)?;
        let is_integer = self.b.cmpf(Compare::Eq, self.floor(y)?, y)?;
        let is_odd = self.both(is_integer, self.b.cmpf(Compare::Ne, self.floor(half)?, half)?)?;
        let signed = self.with_sign_of(value, x)?;
        let signed = self.b.select(is_odd, signed, value)?;
        let is_negative =
            self.both(self.is(x, Compare::Lt, 0.0)?, self.is(x, Compare::Gt, f64::NEG_INFINITY)?)?;
        let undefined = self.b.select(is_integer, signed, self.number(f64::NAN)?)?;
        self.b.select(is_negative, undefined, signed)
    }

    fn power_of_positive(&self, x: Val<'c>, y: Val<'c>) -> Result<'c, Val<'c>> {
        let logarithm = self.binary_logarithm(x)?;
        let product = self.product(y, logarithm.high)?;
        let low = self.add(self.mul(y, logarithm.low)?, product.low)?;
        // The low part of what is no number, or beyond all, is none either.
        let is_inside = self.is(self.abs(product.high)?, Compare::Lt, LIMIT)?;
        let low = self.b.select(is_inside, low, self.number(0.0)?)?;
        let high = self.limited(product.high, -LIMIT, LIMIT)?;
        let n = self.rounded(high)?;
        let r = self.sub(high, n.number)?;
        let t = self.product(r, self.number(LN_2[0])?)?;
        let low = self.add(self.add(self.times(low, LN_2[0])?, self.times(r, LN_2[1])?)?, t.low)?;
        let t = self.sum(t.high, low)?;
        let beyond = self.mul(self.mul(t.high, t.high)?, self.polynomial(&EXPONENTIAL, t.high)?)?;
        let power = self.add(self.number(1.0)?, self.add(t.high, self.add(beyond, t.low)?)?)?;
        self.scaled(power, self.scale(n)?)
    }

    /// Returns log₂ x of a positive number, within 2⁻⁶⁶ of it.
    fn binary_logarithm(&self, x: Val<'c>) -> Result<'c, Sum<'c>> {
        let (scaled, lift) = self.normalized(x)?;
        let parts = self.logarithm(scaled)?;
        let exponent = self.sub(parts.exponent, lift)?;
        let s = self.quotient(parts.f)?;
        let z = self.product(s.high, s.high)?;
        let z = Sum { low: self.add(z.low, self.times(self.mul(s.high, s.low)?, 2.0)?)?, ..z };
        // s²/3 + …, as a factor beyond 1.
        let third = self.product(z.high, self.number(THIRD[0])?)?;
        let low = self.add(self.times(z.high, THIRD[1])?, self.times(z.low, THIRD[0])?)?;
        let rest = self.mul(self.mul(z.high, z.high)?, self.polynomial(&LOGARITHM, z.high)?)?;
        let factor = self.sum(third.high, rest)?;
        let factor = Sum { low: self.add(factor.low, self.add(third.low, low)?)?, ..factor };
        let beyond = self.multiplied(s, factor)?;
        let whole = self.sum(s.high, beyond.high)?;
        let whole = Sum { low: self.add(whole.low, self.add(beyond.low, s.low)?)?, ..whole };
        let number = |index: usize| self.number(TWO_OVER_LN_2[index]);
        let binary = self.multiplied(whole, Sum { high: number(0)?, low: number(1)? })?;
        let sum = self.sum(exponent, binary.high)?;
        Ok(Sum { low: self.add(sum.low, binary.low)?, ..sum })
    }

    fn multiplied(&self, x: Sum<'c>, y: Sum<'c>) -> Result<'c, Sum<'c>> {
        let product = self.product(x.high, y.high)?;
        let low = self.add(self.mul(x.high, y.low)?, self.mul(x.low, y.high)?)?;
        Ok(Sum { low: self.add(product.low, low)?, ..product })
    }

    /// Returns f / (2 + f).
    fn quotient(&self, f: Val<'c>) -> Result<'c, Sum<'c>> {
        let below = self.sum(self.number(2.0)?, f)?;
        let inverse = self.div(self.number(1.0)?, below.high)?;
        let high = self.b.value("arith.mulf", &[f, inverse], self.float)?;
        let product = self.product(high, below.high)?;
        let rest = self.sub(self.sub(f, product.high)?, product.low)?;
        let rest = self.sub(rest, self.mul(high, below.low)?)?;
        Ok(Sum { high, low: self.mul(rest, inverse)? })
    }
}
