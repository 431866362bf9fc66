//! Functions of `float`, computed in `double`: what is lost there is far below the last bit of the result, so
//! that polynomials are short and sums have one part.

use super::arithmetic::Arithmetic;
use super::double::{LOG2_E, Logarithm};
use comet_ir::{Compare, Result, Val};
use std::f64::consts::LN_2;

/// The coefficients of (eʳ − 1 − r) / r² from r⁵ down to 1, for |r| up to ln 2 / 2: within 2⁻³¹ of eʳ − 1.
const EXPONENTIAL: [f64; 6] = [
    1.996_235_956_051_502e-4,
    1.394_320_748_439_944_7e-3,
    8.333_219_913_973_981e-3,
    4.166_632_704_934_28e-2,
    1.666_666_690_246_032_8e-1,
    5.000_000_053_035_877e-1,
];
/// The coefficients of log((1 + s) / (1 − s)) − 2s in s², from the last one on, over 2s³: within 2⁻³⁷.
const LOGARITHM: [f64; 4] = [
    1.179_073_661_052_219_8e-1,
    1.426_867_344_798_643_5e-1,
    2.000_016_726_804_705_2e-1,
    3.333_333_282_431_877_3e-1,
];
/// The coefficients of (log(1 + f) − f + f²/2) / f³ from f⁷ down to 1, for f from √½ − 1 to √2 − 1: within
/// 2⁻²⁷ of log(1 + f).
const LOGARITHM_WITHOUT_QUOTIENT: [f64; 8] = [
    -7.634_637_805_218_86e-2,
    1.276_163_244_541_818_6e-1,
    -1.316_015_182_708_192e-1,
    1.420_174_725_251_879_8e-1,
    -1.662_335_962_274_997_2e-1,
    2.000_122_751_245_831_7e-1,
    -2.500_082_097_908_664_6e-1,
    3.333_333_169_757_304e-1,
];
/// The coefficients of (2ʳ − 1) / r from r⁶ down to 1, for |r| up to ½: within 2⁻³².
const POWER: [f64; 7] = [
    1.335_995_055_491_295_5e-5,
    1.546_137_041_863_239_6e-4,
    1.334_195_085_104_702_4e-3,
    9.618_056_912_768_864e-3,
    5.550_400_375_063_907e-2,
    2.402_265_092_080_504e-1,
    6.931_471_838_170_412e-1,
];

impl<'c> Arithmetic<'c> {
    pub(super) fn exp_of_single(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let (scale, t) = self.power_of_single(self.limited(x, -200.0, 200.0)?)?;
        self.add(scale, self.mul(scale, t)?)
    }

    pub(super) fn expm1_of_single(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let value = self.small_exponential(self.limited(x, -200.0, 200.0)?)?;
        self.with_sign_of(value, x)
    }

    pub(super) fn log_of_single(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let value = self.joined_of_single(self.logarithm(x)?)?;
        self.at_limits_of_log(value, x, 0.0)
    }

    pub(super) fn log1p_of_single(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let parts = self.logarithm(self.add(x, self.number(1.0)?)?)?;
        // Near 1 the sum may have lost bits of x.
        let f = self.select((Compare::Eq, parts.exponent, self.number(0.0)?), x, parts.f)?;
        let value = self.joined_of_single(Logarithm { f, ..parts })?;
        self.with_sign_of(self.at_limits_of_log(value, x, -1.0)?, x)
    }

    pub(super) fn tanh_of_single(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let size = self.abs(x)?;
        let size = self.unless(size, (size, Compare::Gt, 20.0), 20.0)?;
        let t = self.small_exponential(self.add(size, size)?)?;
        self.with_sign_of(self.div(t, self.add(t, self.number(2.0)?)?)?, x)
    }

    pub(super) fn sigmoid_of_single(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let (scale, t) = self.power_of_single(self.limited(self.negate(x)?, -200.0, 200.0)?)?;
        let one = self.number(1.0)?;
        self.div(one, self.add(self.add(scale, one)?, self.mul(scale, t)?)?)
    }

    /// Returns 2ⁿ and t for eˣ = 2ⁿ · (1 + t).
    fn power_of_single(&self, x: Val<'c>) -> Result<'c, (Val<'c>, Val<'c>)> {
        let n = self.rounded(self.times(x, LOG2_E)?)?;
        let r = self.sub(x, self.times(n.number, LN_2)?)?;
        let t = self.add(r, self.mul(self.mul(r, r)?, self.polynomial(&EXPONENTIAL, r)?)?)?;
        Ok((self.power_of_two(n.bits)?, t))
    }

    /// Returns eˣ − 1.
    fn small_exponential(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        let (scale, t) = self.power_of_single(x)?;
        self.add(self.sub(scale, self.number(1.0)?)?, self.mul(scale, t)?)
    }

    fn joined_of_single(&self, Logarithm { exponent, f }: Logarithm<'c>) -> Result<'c, Val<'c>> {
        let square = self.mul(f, f)?;
        let cube = self.mul(square, f)?;
        let near = self.sub(f, self.times(square, 0.5)?)?;
        let near = self.add(near, self.times(exponent, LN_2)?)?;
        self.add(near, self.mul(cube, self.polynomial(&LOGARITHM_WITHOUT_QUOTIENT, f)?)?)
    }

    /// Returns log(1 + f) within 2⁻³⁷.
    fn logarithm_of_mantissa(&self, f: Val<'c>) -> Result<'c, Val<'c>> {
        let s = self.div(f, self.add(self.number(2.0)?, f)?)?;
        let z = self.mul(s, s)?;
        let twice = self.add(s, s)?;
        self.add(twice, self.mul(self.mul(twice, z)?, self.polynomial(&LOGARITHM, z)?)?)
    }

    /// Returns xʸ of a positive number x.
    pub(super) fn power_of_positive_single(&self, x: Val<'c>, y: Val<'c>) -> Result<'c, Val<'c>> {
        let parts = self.logarithm(x)?;
        let mantissa = self.logarithm_of_mantissa(parts.f)?;
        let logarithm = self.add(parts.exponent, self.times(mantissa, LOG2_E)?)?;
        let exponent = self.limited(self.mul(y, logarithm)?, -200.0, 200.0)?;
        let n = self.rounded(exponent)?;
        let r = self.sub(exponent, n.number)?;
        let scale = self.power_of_two(n.bits)?;
        self.add(scale, self.mul(self.mul(scale, r)?, self.polynomial(&POWER, r)?)?)
    }
}
