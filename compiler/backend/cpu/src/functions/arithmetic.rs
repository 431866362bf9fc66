//! Arithmetic on `double`, or on vectors of them, that functions are made of.

use comet_ir::{Builder, Compare, Result, Ty, Val, types};
use melior::ir::ValueLike;

/// A number of this size has no bits for fractions: adding it leaves the nearest integer in the last bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// How products get their lost bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Products {
    /// By instructions for a product and a sum with the error of one of them.
    Fused,
    /// By factors in two parts: processors without such instructions would call a function for each.
    #[default]
    Split,
}

/// A sum of two numbers, the second of which is below the last bit of the first.
#[derive(Clone, Copy)]
pub(super) struct Sum<'c> {
    pub(super) high: Val<'c>,
    pub(super) low: Val<'c>,
}

/// An integer as a number, and in the last bits of another number.
#[derive(Clone, Copy)]
pub(super) struct Rounded<'c> {
    pub(super) number: Val<'c>,
    pub(super) bits: Val<'c>,
}

#[derive(Clone, Copy)]
pub(super) struct Arithmetic<'c> {
    pub(super) b: Builder<'c>,
    pub(super) float: Ty<'c>,
    int: Ty<'c>,
    products: Products,
}

impl<'c> Arithmetic<'c> {
    pub(super) fn on(b: Builder<'c>, float: Ty<'c>, products: Products) -> Self {
        Self { b, float, int: types::same_lanes(float, types::int(b.context(), 64)), products }
    }

    pub(super) fn number(&self, number: f64) -> Result<'c, Val<'c>> {
        self.b.broadcast(self.b.number(types::scalar(self.float), number, 0)?, self.float)
    }

    pub(super) fn integer(&self, number: i64) -> Result<'c, Val<'c>> {
        self.b.broadcast(self.b.int(types::scalar(self.int), number)?, self.int)
    }

    pub(super) fn add(&self, x: Val<'c>, y: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value_op("add", x, y)
    }

    pub(super) fn sub(&self, x: Val<'c>, y: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value_op("sub", x, y)
    }

    pub(super) fn mul(&self, x: Val<'c>, y: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value_op("mul", x, y)
    }

    pub(super) fn times(&self, x: Val<'c>, number: f64) -> Result<'c, Val<'c>> {
        self.mul(x, self.number(number)?)
    }

    pub(super) fn div(&self, x: Val<'c>, y: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value("arith.divf", &[x, y], self.float)
    }

    pub(super) fn abs(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value("math.absf", &[x], self.float)
    }

    pub(super) fn floor(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value("math.floor", &[x], self.float)
    }

    pub(super) fn negate(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value("arith.negf", &[x], self.float)
    }

    pub(super) fn with_sign_of(&self, value: Val<'c>, x: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value("math.copysign", &[value, x], self.float)
    }

    pub(super) fn bits(&self, x: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value("arith.bitcast", &[x], self.int)
    }

    pub(super) fn of_bits(&self, bits: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value("arith.bitcast", &[bits], self.float)
    }

    pub(super) fn bit_and(&self, x: Val<'c>, number: i64) -> Result<'c, Val<'c>> {
        self.b.value("arith.andi", &[x, self.integer(number)?], self.int)
    }

    pub(super) fn bit_xor(&self, x: Val<'c>, y: Val<'c>) -> Result<'c, Val<'c>> {
        self.b.value("arith.xori", &[x, y], x.r#type())
    }

    pub(super) fn shift_left(&self, bits: Val<'c>, count: i64) -> Result<'c, Val<'c>> {
        self.b.value("arith.shli", &[bits, self.integer(count)?], self.int)
    }

    pub(super) fn is(&self, x: Val<'c>, predicate: Compare, number: f64) -> Result<'c, Val<'c>> {
        self.b.cmpf(predicate, x, self.number(number)?)
    }

    pub(super) fn select(
        &self,
        (predicate, x, y): (Compare, Val<'c>, Val<'c>),
        then: Val<'c>,
        otherwise: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        self.b.select(self.b.cmpf(predicate, x, y)?, then, otherwise)
    }

    /// Replaces a value where a comparison of x with a number holds.
    pub(super) fn unless(
        &self,
        value: Val<'c>,
        (x, predicate, number): (Val<'c>, Compare, f64),
        other: f64,
    ) -> Result<'c, Val<'c>> {
        self.b.select(self.is(x, predicate, number)?, self.number(other)?, value)
    }

    /// Limits x to a range. What is not a number stays.
    pub(super) fn limited(&self, x: Val<'c>, low: f64, high: f64) -> Result<'c, Val<'c>> {
        let raised = self.unless(x, (x, Compare::Lt, low), low)?;
        self.unless(raised, (raised, Compare::Gt, high), high)
    }

    /// Returns the value of a polynomial whose coefficients are listed from the last one on.
    pub(super) fn polynomial(&self, coefficients: &[f64], x: Val<'c>) -> Result<'c, Val<'c>> {
        let (first, others) = coefficients.split_first().expect("a polynomial has coefficients");
        others.iter().try_fold(self.number(*first)?, |value, coefficient| {
            self.add(self.mul(value, x)?, self.number(*coefficient)?)
        })
    }

    /// Returns x + y, where x is the larger one or a multiple of the last bit of y.
    pub(super) fn sum(&self, x: Val<'c>, y: Val<'c>) -> Result<'c, Sum<'c>> {
        let high = self.b.value("arith.addf", &[x, y], self.float)?;
        let low = self.sub(y, self.sub(high, x)?)?;
        Ok(Sum { high, low })
    }

    /// Returns x · y to the last bit.
    pub(super) fn product(&self, x: Val<'c>, y: Val<'c>) -> Result<'c, Sum<'c>> {
        let high = self.b.value("arith.mulf", &[x, y], self.float)?;
        let low = match self.products {
            Products::Fused => self.b.value("math.fma", &[x, y, self.negate(high)?], self.float)?,
            Products::Split => {
                let (x, y) = (self.halves(x)?, self.halves(y)?);
                let rest = self.sub(self.mul(x.high, y.high)?, high)?;
                let rest = self.add(self.mul(x.high, y.low)?, rest)?;
                let rest = self.add(self.mul(x.low, y.high)?, rest)?;
                self.add(self.mul(x.low, y.low)?, rest)?
            }
        };
        Ok(Sum { high, low })
    }

    /// Splits a number after Veltkamp into two of 26 bits, whose products are exact.
    fn halves(&self, x: Val<'c>) -> Result<'c, Sum<'c>> {
        let exact = |name: &str, x, y| self.b.value(name, &[x, y], self.float);
        let scaled = exact("arith.mulf", x, self.number(f64::from((1 << 27) + 1))?)?;
        let high = exact("arith.subf", scaled, exact("arith.subf", scaled, x)?)?;
        Ok(Sum { high, low: exact("arith.subf", x, high)? })
    }

    /// Returns the integer next to a number below 2⁵¹.
    pub(super) fn rounded(&self, x: Val<'c>) -> Result<'c, Rounded<'c>> {
        let rounder = self.number(ROUNDER)?;
        let raised = self.add(x, rounder)?;
        Ok(Rounded { number: self.sub(raised, rounder)?, bits: self.bits(raised)? })
    }

    /// Returns 2ⁿ for the integer n in the last bits, from −1022 to 1023.
    pub(super) fn power_of_two(&self, bits: Val<'c>) -> Result<'c, Val<'c>> {
        self.of_bits(self.b.addi(self.shift_left(bits, 52)?, self.integer(1023 << 52)?)?)
    }

    /// Returns two numbers whose product is 2ⁿ, for an integer n from −2044 to 2046: 2ⁿ itself may be none.
    pub(super) fn scale(&self, n: Rounded<'c>) -> Result<'c, [Val<'c>; 2]> {
        let half = self.b.shift_right(n.bits, self.integer(1)?)?;
        Ok([self.power_of_two(half)?, self.power_of_two(self.b.subi(n.bits, half)?)?])
    }

    pub(super) fn scaled(&self, x: Val<'c>, [first, second]: [Val<'c>; 2]) -> Result<'c, Val<'c>> {
        self.mul(self.mul(x, first)?, second)
    }

    /// Returns a number with an integer that is not negative, below 2⁵¹, as its value.
    pub(super) fn number_of(&self, integer: Val<'c>, bias: f64) -> Result<'c, Val<'c>> {
        let raised = self.of_bits(self.b.addi(integer, self.bits(self.number(ROUNDER)?)?)?)?;
        self.sub(raised, self.number(ROUNDER + bias)?)
    }
}
