//! Complex values and their arithmetic.
//!
//! A product is the plain formula of four products, without C's second attempt where the result is NaN; so
//! it is with Fortran's compilers and `-fcx-limited-range`. A quotient is Smith's (Algorithm 116, 1962).

use crate::{Arithmetic, ComputedNumber, Constant};
use std::cmp::Ordering;

/// A complex value as it lies in memory: the real part, then the imaginary one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Complex<T> {
    /// The real part.
    pub re: T,
    /// The imaginary part.
    pub im: T,
}

impl<T: Arithmetic> Complex<T> {
    /// Returns the conjugate.
    #[must_use]
    pub fn conjugate(self) -> Self {
        Self { re: self.re, im: negative(self.im) }
    }

    /// Returns the negative.
    #[must_use]
    pub fn negative(self) -> Self {
        Self { re: negative(self.re), im: negative(self.im) }
    }
}

fn negative<T: Arithmetic>(value: T) -> T {
    T::constant(Constant { float: -0.0, integer: 0 }).sub(value)
}

/// Complex numbers have no order: only equal ones compare.
impl<T: PartialEq> PartialOrd for Complex<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (self == other).then_some(Ordering::Equal)
    }
}

impl<T: Arithmetic> Arithmetic for Complex<T> {
    fn constant(constant: Constant) -> Self {
        Self { re: T::constant(constant), im: T::constant(Constant::ZERO) }
    }

    // Operators of the file compute real values; `sema` refuses others.
    fn computed(self) -> ComputedNumber {
        self.re.computed()
    }

    fn of_computed(value: ComputedNumber) -> Self {
        Self { re: T::of_computed(value), im: T::constant(Constant::ZERO) }
    }

    fn add(self, right: Self) -> Self {
        Self { re: self.re.add(right.re), im: self.im.add(right.im) }
    }

    fn sub(self, right: Self) -> Self {
        Self { re: self.re.sub(right.re), im: self.im.sub(right.im) }
    }

    fn mul(self, right: Self) -> Self {
        Self {
            re: self.re.mul(right.re).sub(self.im.mul(right.im)),
            im: self.re.mul(right.im).add(self.im.mul(right.re)),
        }
    }

    fn div(self, right: Self) -> Option<Self> {
        let is_wide = magnitude(right.re) >= magnitude(right.im);
        let (large, small) = if is_wide { (right.re, right.im) } else { (right.im, right.re) };
        let (first, second) = if is_wide { (self.re, self.im) } else { (self.im, self.re) };
        let ratio = small.div(large)?;
        let divisor = large.add(small.mul(ratio));
        let re = first.add(second.mul(ratio)).div(divisor)?;
        let im = second.sub(first.mul(ratio)).div(divisor)?;
        Some(Self { re, im: if is_wide { im } else { negative(im) } })
    }

    /// The left operand: no language writes it of complex values, and neither is smaller.
    fn min(self, _right: Self) -> Self {
        self
    }

    fn max(self, _right: Self) -> Self {
        self
    }

    /// The real part alone: no language writes it of complex values.
    fn pow(self, exponent: Self) -> Self {
        Self { re: self.re.pow(exponent.re), im: T::constant(Constant::ZERO) }
    }

    fn complex(self, imaginary: Self) -> Self {
        Self { re: self.re, im: imaginary.re }
    }

    fn is_true(self) -> bool {
        self.re.is_true() || self.im.is_true()
    }
}

fn magnitude<T: Arithmetic>(value: T) -> T {
    if value < T::constant(Constant::ZERO) { negative(value) } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(re: f64, im: f64) -> Complex<f64> {
        Complex { re, im }
    }

    #[test]
    fn products_and_quotients() {
        assert_eq!(of(1.0, 2.0).mul(of(3.0, -4.0)), of(11.0, 2.0));
        assert_eq!(of(11.0, 2.0).div(of(3.0, -4.0)), Some(of(1.0, 2.0)));
        assert_eq!(of(11.0, 2.0).div(of(1.0, 2.0)), Some(of(3.0, -4.0)));
        assert_eq!(of(1.0, 2.0).complex(of(5.0, 7.0)), of(1.0, 5.0));
        assert!(of(1.0, 2.0).partial_cmp(&of(3.0, 4.0)).is_none() && of(0.0, 1.0).is_true());
        let huge = of(1e300, 1e300);
        assert_eq!(huge.div(huge), Some(of(1.0, 0.0)));
    }
}
