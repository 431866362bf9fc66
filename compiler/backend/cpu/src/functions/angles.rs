//! Sines and cosines: of the angle without its multiple of π/2, or of π for a `float`.

use super::arithmetic::{Arithmetic, Rounded, Sum};
use comet_ir::{Compare, Result, Val};

/// π/2 in three parts, the first two of which have 39 bits, so that their products with numbers of up to 14
/// bits are exact.
const QUARTER: [f64; 3] = [1.570_796_326_792_333_3, 2.563_344_151_590_573_2e-12, 3.945_554_166_563_205_5e-24];
/// π in two parts, the first of which has 39 bits.
const HALF: [f64; 2] = [3.141_592_653_584_666_6, 5.126_688_303_189_038e-12];
/// The coefficients of (sin(r) − r) / r³ in r², from the last one on, for |r| up to π/4: within 2⁻⁵⁷ of the
/// sine.
const SINE: [f64; 6] = [
    1.589_622_923_845_557_4e-10,
    -2.505_074_774_584_285_4e-8,
    2.755_731_362_126_819_2e-6,
    -1.984_126_982_958_917_3e-4,
    8.333_333_333_322_118e-3,
    -1.666_666_666_666_663e-1,
];
/// The coefficients of (cos(r) − 1 + r²/2) / r⁴ in r², from the last one on, for |r| up to π/4: within 2⁻⁶³.
const COSINE: [f64; 6] = [
    -1.135_853_643_456_155_6e-11,
    2.087_570_084_048_053_6e-9,
    -2.755_731_417_928_694_6e-7,
    2.480_158_728_885_167_3e-5,
    -1.388_888_888_887_305_6e-3,
    4.166_666_666_666_659_5e-2,
];
/// The coefficients of (sin(r) − r) / r³ in r², from the last one on, for |r| up to π/2: within 2⁻²⁷.
const SINE_OF_SINGLE: [f64; 4] = [
    2.605_779_842_777_572_5e-6,
    -1.980_960_246_000_252e-4,
    8.333_066_241_648_096e-3,
    -1.666_665_955_031_342_6e-1,
];
/// The sign of a floating-point number.
const SIGN: i64 = i64::MIN;

/// Angles up to this one have at most 2¹⁴ multiples of π/2.
pub(crate) const LARGEST_ANGLE: f64 = 25_000.0;

/// A function of angles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Angle {
    Sin,
    Cos,
}

impl<'c> Arithmetic<'c> {
    /// Returns the sine or cosine of an angle up to [`LARGEST_ANGLE`].
    pub(super) fn angle(&self, function: Angle, x: Val<'c>) -> Result<'c, Val<'c>> {
        let size = self.abs(x)?;
        let quarters = self.rounded(self.times(size, std::f64::consts::FRAC_2_PI)?)?;
        let rest = self.without_quarters(size, quarters)?;
        let square = self.mul(rest.high, rest.high)?;
        let half = self.times(square, 0.5)?;
        let high = self.sub(self.number(1.0)?, half)?;
        let sine = self.sine(rest, square, high)?;
        let low = self.sub(self.sub(self.number(1.0)?, high)?, half)?;
        let low = self.sub(low, self.mul(rest.high, rest.low)?)?;
        let beyond =
            self.add(self.mul(self.mul(square, square)?, self.polynomial(&COSINE, square)?)?, low)?;
        let cosine = self.add(high, beyond)?;
        // A cosine is the sine one quarter further.
        let turned = match function {
            Angle::Sin => quarters.bits,
            Angle::Cos => self.b.addi(quarters.bits, self.integer(1)?)?,
        };
        let is_odd = self.b.cmpi(Compare::Ne, self.bit_and(turned, 1)?, self.integer(0)?)?;
        let value = self.b.select(is_odd, cosine, sine)?;
        let sign = self.bit_and(self.shift_left(turned, 62)?, SIGN)?;
        let value = self.of_bits(self.bit_xor(self.bits(value)?, sign)?)?;
        self.with_sign_of_angle(function, value, x)
    }

    /// Returns the sine of an angle up to π/4, whose low part changes it by the cosine, near 1 − r²/2.
    fn sine(&self, rest: Sum<'c>, square: Val<'c>, cosine: Val<'c>) -> Result<'c, Val<'c>> {
        let cube = self.mul(square, rest.high)?;
        let low = self.mul(rest.low, cosine)?;
        self.add(rest.high, self.add(self.mul(cube, self.polynomial(&SINE, square)?)?, low)?)
    }

    /// Subtracts multiples of π/2. Each remainder is a multiple of the last bit of what is subtracted next,
    /// so that both parts of the difference are exact, whichever number is the larger one.
    fn without_quarters(&self, size: Val<'c>, quarters: Rounded<'c>) -> Result<'c, Sum<'c>> {
        let part = |index: usize| self.times(quarters.number, QUARTER[index]);
        let coarse = self.sub(size, part(0)?)?;
        let second = part(1)?;
        let fine = self.sub(coarse, second)?;
        let lost = self.sub(self.sub(coarse, fine)?, second)?;
        self.sum(fine, self.sub(lost, part(2)?)?)
    }

    fn with_sign_of_angle(&self, function: Angle, value: Val<'c>, x: Val<'c>) -> Result<'c, Val<'c>> {
        match function {
            Angle::Sin => {
                let sign = self.bit_and(self.bits(x)?, SIGN)?;
                self.of_bits(self.bit_xor(self.bits(value)?, sign)?)
            }
            Angle::Cos => Ok(value),
        }
    }

    /// Returns the sine or cosine of a `float` as the sine of what is left of it by multiples of π, for
    /// cosines by those with a half.
    pub(super) fn angle_of_single(&self, function: Angle, x: Val<'c>) -> Result<'c, Val<'c>> {
        let halves = self.halves_of_single(function, x)?;
        let coarse = self.sub(x, self.times(halves.number, HALF[0])?)?;
        let r = self.sub(coarse, self.times(halves.number, HALF[1])?)?;
        let square = self.mul(r, r)?;
        let factor =
            self.add(self.mul(square, self.polynomial(&SINE_OF_SINGLE, square)?)?, self.number(1.0)?)?;
        // cos(r + (k + ½)π) is −sin(r) for an even k.
        let r = if function == Angle::Cos { self.negate(r)? } else { r };
        let odd = self.shift_left(halves.bits, 63)?;
        self.of_bits(self.bit_xor(self.bits(self.mul(r, factor)?)?, odd)?)
    }

    fn halves_of_single(&self, function: Angle, x: Val<'c>) -> Result<'c, Rounded<'c>> {
        let turns = self.times(x, std::f64::consts::FRAC_1_PI)?;
        match function {
            Angle::Sin => self.rounded(turns),
            Angle::Cos => {
                let half = self.number(0.5)?;
                let rounded = self.rounded(self.sub(turns, half)?)?;
                Ok(Rounded { number: self.add(rounded.number, half)?, ..rounded })
            }
        }
    }

    /// Returns in which lanes an angle is larger than [`LARGEST_ANGLE`].
    pub(super) fn is_large_angle(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        self.is(self.abs(x)?, Compare::Gt, LARGEST_ANGLE)
    }
}
