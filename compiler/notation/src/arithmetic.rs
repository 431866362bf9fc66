//! The arithmetic of the element types (LANGUAGE.md, "Types"): integers wrap, and dividing them by 0 is an
//! error; of a number and NaN, the extrema are the number.

use crate::Constant;
use comet_format::ValueType;

/// A value of one of the types that elements are computed in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ComputedNumber {
    I64(i64),
    F32(f32),
    F64(f64),
}

impl ComputedNumber {
    /// Returns what an element of a type stores of the value, in the type that it is computed in.
    #[must_use]
    pub fn to(self, of: ValueType) -> Self {
        match (of.computed(), self) {
            (ValueType::I64, Self::I64(value)) => Self::I64(of.rounded_integer(value)),
            (ValueType::I64, Self::F32(value)) => Self::I64(of.integer_of_float(f64::from(value))),
            (ValueType::I64, Self::F64(value)) => Self::I64(of.integer_of_float(value)),
            (ValueType::F32, Self::I64(value)) => Self::F32(of.rounded_float(value as f32)),
            (ValueType::F32, Self::F32(value)) => Self::F32(of.rounded_float(value)),
            (ValueType::F32, Self::F64(value)) => Self::F32(of.rounded_float(value as f32)),
            (_, Self::I64(value)) => Self::F64(value as f64),
            (_, Self::F32(value)) => Self::F64(f64::from(value)),
            (_, Self::F64(value)) => Self::F64(value),
        }
    }
}

/// A value that operators apply to.
pub trait Arithmetic: Copy + PartialOrd {
    /// Converts the constant of a table.
    fn constant(constant: Constant) -> Self;
    fn computed(self) -> ComputedNumber;
    fn of_computed(value: ComputedNumber) -> Self;
    fn add(self, right: Self) -> Self;
    fn sub(self, right: Self) -> Self;
    fn mul(self, right: Self) -> Self;
    /// Returns the quotient; `None` where an integer is divided by 0.
    fn div(self, right: Self) -> Option<Self>;
    fn min(self, right: Self) -> Self;
    fn max(self, right: Self) -> Self;
    fn pow(self, exponent: Self) -> Self;
    /// Returns the complex value of a real and an imaginary part; of real numbers the first one alone.
    #[must_use]
    fn complex(self, _imaginary: Self) -> Self {
        self
    }

    /// Returns whether the value is not 0.
    fn is_true(self) -> bool;

    /// Returns 1 where a value is not 0, else 0.
    fn or(self, right: Self) -> Self {
        Self::constant(if self.is_true() || right.is_true() { Constant::ONE } else { Constant::ZERO })
    }

    /// Returns 1 where both values are not 0, else 0.
    fn and(self, right: Self) -> Self {
        Self::constant(if self.is_true() && right.is_true() { Constant::ONE } else { Constant::ZERO })
    }
}

impl Arithmetic for i64 {
    fn constant(constant: Constant) -> Self {
        constant.integer
    }

    fn computed(self) -> ComputedNumber {
        ComputedNumber::I64(self)
    }

    fn of_computed(value: ComputedNumber) -> Self {
        match value.to(ValueType::I64) {
            ComputedNumber::I64(value) => value,
            ComputedNumber::F32(value) => value as Self,
            ComputedNumber::F64(value) => value as Self,
        }
    }

    fn add(self, right: Self) -> Self {
        self.wrapping_add(right)
    }

    fn sub(self, right: Self) -> Self {
        self.wrapping_sub(right)
    }

    fn mul(self, right: Self) -> Self {
        self.wrapping_mul(right)
    }

    fn div(self, right: Self) -> Option<Self> {
        (right != 0).then(|| self.wrapping_div(right))
    }

    fn min(self, right: Self) -> Self {
        Ord::min(self, right)
    }

    fn max(self, right: Self) -> Self {
        Ord::max(self, right)
    }

    fn pow(self, exponent: Self) -> Self {
        match (self, exponent) {
            (1, _) => 1,
            (-1, exponent) => 1 - 2 * (exponent & 1),
            (_, exponent) if exponent < 0 => 0,
            (mut base, mut exponent) => {
                let mut power = 1_i64;
                while exponent > 0 {
                    if exponent & 1 == 1 {
                        power = power.wrapping_mul(base);
                    }
                    base = base.wrapping_mul(base);
                    exponent >>= 1;
                }
                power
            }
        }
    }

    fn is_true(self) -> bool {
        self != 0
    }
}

macro_rules! float_arithmetic {
    ($($float:ty, $case:ident;)*) => {$(
        impl Arithmetic for $float {
            fn constant(constant: Constant) -> Self {
                constant.float as Self
            }

            fn computed(self) -> ComputedNumber {
                ComputedNumber::$case(self)
            }

            fn of_computed(value: ComputedNumber) -> Self {
                match value {
                    ComputedNumber::I64(value) => value as Self,
                    ComputedNumber::F32(value) => value as Self,
                    ComputedNumber::F64(value) => value as Self,
                }
            }

            fn add(self, right: Self) -> Self {
                self + right
            }

            fn sub(self, right: Self) -> Self {
                self - right
            }

            fn mul(self, right: Self) -> Self {
                self * right
            }

            fn div(self, right: Self) -> Option<Self> {
                Some(self / right)
            }

            fn min(self, right: Self) -> Self {
                <$float>::min(self, right)
            }

            fn max(self, right: Self) -> Self {
                <$float>::max(self, right)
            }

            fn pow(self, exponent: Self) -> Self {
                self.powf(exponent)
            }

            fn is_true(self) -> bool {
                self != 0.0
            }
        }
    )*};
}

float_arithmetic! {
    f32, F32;
    f64, F64;
}
