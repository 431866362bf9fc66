//! Numbers of the three element types, and the operators on them: LANGUAGE.md, "Types" and "Semirings".

use comet_syntax::ast::{self, Element, Operator};
use half::{bf16, f16};

use crate::complex::{self, Parts};

use crate::error::{OracleError, Result};

/// An element of a tensor, or the value of a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TypedNumber {
    /// `int`.
    I64(i64),
    /// `float`.
    F32(f32),
    /// `double`.
    F64(f64),
    /// `complex64`.
    C64(f32, f32),
    /// `complex128`.
    C128(f64, f64),
}

impl TypedNumber {
    /// The 0 of a type.
    pub fn zero(element: Element) -> Self {
        Self::I64(0).to(element)
    }

    /// A number as it is written in a program: an integer is an `int`, any other one a `double`.
    pub(crate) fn written(number: ast::Number) -> Self {
        number.integer.map_or(Self::F64(number.value), Self::I64)
    }

    /// The type.
    pub fn element(self) -> Element {
        match self {
            Self::I64(_) => Element::I64,
            Self::F32(_) => Element::F32,
            Self::F64(_) => Element::F64,
            Self::C64(..) => Element::C64,
            Self::C128(..) => Element::C128,
        }
    }

    /// What an element of a type stores of a number, in the type that such elements are computed in: the
    /// nearest number, towards zero where that is an integer, and wrapped where it was one before.
    #[must_use]
    pub fn to(self, element: Element) -> Self {
        let float = || match self {
            Self::I64(value) => value as f32,
            Self::F32(value) => value,
            Self::F64(value) => value as f32,
            Self::C64(re, _) => re,
            Self::C128(re, _) => re as f32,
        };
        match element {
            Element::F64 => Self::F64(self.to_f64()),
            Element::C128 => Self::C128(self.parts().0, self.parts().1),
            Element::C64 => match self {
                Self::C64(re, im) => Self::C64(re, im),
                Self::C128(re, im) => Self::C64(re as f32, im as f32),
                _ => Self::C64(float(), 0.0),
            },
            Element::F32 => Self::F32(float()),
            Element::F16 => Self::F32(f16::from_f32(float()).to_f32()),
            Element::BF16 => Self::F32(bf16::from_f32(float()).to_f32()),
            Element::Bool => Self::I64(i64::from(!self.is_zero())),
            Element::I64 => Self::I64(self.cut(|value| value, |value| value as i64)),
            Element::I8 => Self::I64(self.cut(|value| value as i8 as i64, |value| value as i8 as i64)),
            Element::I16 => Self::I64(self.cut(|value| value as i16 as i64, |value| value as i16 as i64)),
            Element::I32 => Self::I64(self.cut(|value| value as i32 as i64, |value| value as i32 as i64)),
            Element::U8 => Self::I64(self.cut(|value| value as u8 as i64, |value| value as u8 as i64)),
            Element::U32 => Self::I64(self.cut(|value| value as u32 as i64, |value| value as u32 as i64)),
        }
    }

    /// An integer as it wraps, any other number as it is cut.
    fn cut(self, wrapped: fn(i64) -> i64, cut: fn(f64) -> i64) -> i64 {
        match self {
            Self::I64(value) => wrapped(value),
            number => cut(number.to_f64()),
        }
    }

    /// As it is printed: the shortest decimal that reads back as the same element, where that is a half.
    pub(crate) fn printed(self, element: Element) -> Self {
        if !matches!(element, Element::F16 | Element::BF16) || !self.to_f64().is_finite() {
            return self;
        }
        let rounded = |digits: usize| format!("{:.digits$e}", self.to_f64()).parse().ok().map(Self::F64);
        let shortest = (0..5).filter_map(rounded).find(|short| short.to(element) == self);
        shortest.unwrap_or(self)
    }

    /// As a `double`; a complex number's real part.
    pub fn to_f64(self) -> f64 {
        match self {
            Self::I64(value) => value as f64,
            Self::F32(value) => f64::from(value),
            Self::F64(value) => value,
            Self::C64(re, _) => f64::from(re),
            Self::C128(re, _) => re,
        }
    }

    /// The real part and the imaginary one.
    pub fn parts(self) -> (f64, f64) {
        match self {
            Self::C64(re, im) => (re.into(), im.into()),
            Self::C128(re, im) => (re, im),
            real => (real.to_f64(), 0.0),
        }
    }

    /// Whether it is 0, of either sign.
    pub(crate) fn is_zero(self) -> bool {
        self.parts() == (0.0, 0.0)
    }

    /// `-x`; integers wrap.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::I64(value) => Self::I64(value.wrapping_neg()),
            Self::F32(value) => Self::F32(-value),
            Self::F64(value) => Self::F64(-value),
            Self::C64(re, im) => Self::C64(-re, -im),
            Self::C128(re, im) => Self::C128(-re, -im),
        }
    }
}

/// The type in which operands of two types meet: int < float < double.
pub(crate) fn wider(left: Element, right: Element) -> Element {
    if part(left) != left || part(right) != right {
        return complex_of(wider(part(left), part(right)));
    }
    match (computed(left), computed(right)) {
        (Element::F64, _) | (_, Element::F64) => Element::F64,
        (Element::F32, _) | (_, Element::F32) => Element::F32,
        _ => Element::I64,
    }
}

/// The complex type whose parts are of that type, and `double` for integers.
pub(crate) fn complex_of(element: Element) -> Element {
    match computed(element) {
        Element::F32 | Element::C64 => Element::C64,
        _ => Element::C128,
    }
}

/// The type of the parts, and real types themselves.
pub(crate) fn part(element: Element) -> Element {
    match element {
        Element::C128 => Element::F64,
        Element::C64 => Element::F32,
        real => real,
    }
}

/// The type that elements are computed in.
pub(crate) fn computed(element: Element) -> Element {
    TypedNumber::zero(element).element()
}

/// `left op right`, in the wider type of the two.
pub(crate) fn apply(op: Operator, left: TypedNumber, right: TypedNumber) -> Result<TypedNumber> {
    let element = wider(left.element(), right.element());
    match (left.to(element), right.to(element)) {
        (TypedNumber::I64(x), TypedNumber::I64(y)) => apply_integer(op, x, y).map(TypedNumber::I64),
        (TypedNumber::F32(x), TypedNumber::F32(y)) => Ok(TypedNumber::F32(apply_float(op, x, y))),
        (x @ (TypedNumber::C64(..) | TypedNumber::C128(..)), y) => {
            let (re, im) = apply_complex(op, x.parts(), y.parts());
            Ok(TypedNumber::C128(re, im).to(element))
        }
        (x, y) => Ok(TypedNumber::F64(apply_double(op, x.to_f64(), y.to_f64()))),
    }
}

/// The identity of a reduction, in the numbers that an element can be: what nothing reduces to. `any` of
/// nothing is 0.
pub(crate) fn identity(op: Operator, element: Element) -> TypedNumber {
    match op {
        Operator::Mul | Operator::And => TypedNumber::I64(1).to(element),
        Operator::Min => extreme(element, i64::MAX, f64::INFINITY),
        Operator::Max => extreme(element, i64::MIN, f64::NEG_INFINITY),
        _ => TypedNumber::zero(element),
    }
}

fn extreme(element: Element, integer: i64, float: f64) -> TypedNumber {
    match element {
        Element::I64 => TypedNumber::I64(integer),
        Element::Bool => TypedNumber::I64(i64::from(integer > 0)),
        // The largest number of the type, or the least one.
        _ => TypedNumber::F64(float).to(element),
    }
}

/// Sums and products are exact enough in `double` where parts are `float`.
fn apply_complex(op: Operator, x: Parts, y: Parts) -> Parts {
    match op {
        Operator::Add => (x.0 + y.0, x.1 + y.1),
        Operator::Sub => (x.0 - y.0, x.1 - y.1),
        Operator::Mul => complex::product(x, y),
        Operator::Div => complex::quotient(x, y),
        Operator::Any | Operator::First => x,
        Operator::Second => y,
        Operator::Pair => (1.0, 0.0),
        _ => unreachable!("complex numbers have no such operator"),
    }
}

fn apply_integer(op: Operator, x: i64, y: i64) -> Result<i64> {
    Ok(match op {
        Operator::Add => x.wrapping_add(y),
        Operator::Sub => x.wrapping_sub(y),
        Operator::Mul => x.wrapping_mul(y),
        Operator::Div if y == 0 => return Err(OracleError::new("division by integer zero")),
        Operator::Div => x.wrapping_div(y),
        Operator::Min => x.min(y),
        Operator::Max => x.max(y),
        Operator::Any | Operator::First => x,
        Operator::Second => y,
        Operator::Pair => 1,
        Operator::Or => i64::from(x != 0 || y != 0),
        Operator::And => i64::from(x != 0 && y != 0),
        Operator::Eq
        | Operator::Ne
        | Operator::Lt
        | Operator::Le
        | Operator::Gt
        | Operator::Ge
        | Operator::Pow
        | Operator::If
        | Operator::Else
        | Operator::Either
        | Operator::Complex
        | Operator::Own(_) => unreachable!("no monoid is written so"),
    })
}

/// One body for `f32` and `f64`: each operation is rounded in its own type.
macro_rules! float_operators {
    ($name:ident, $float:ty) => {
        fn $name(op: Operator, x: $float, y: $float) -> $float {
            match op {
                Operator::Add => x + y,
                Operator::Sub => x - y,
                Operator::Mul => x * y,
                Operator::Div => x / y,
                Operator::Min => x.min(y),
                Operator::Max => x.max(y),
                Operator::Any | Operator::First => x,
                Operator::Second => y,
                Operator::Pair => 1.0,
                Operator::Or => <$float>::from(u8::from(x != 0.0 || y != 0.0)),
                Operator::And => <$float>::from(u8::from(x != 0.0 && y != 0.0)),
                Operator::Eq
                | Operator::Ne
                | Operator::Lt
                | Operator::Le
                | Operator::Gt
                | Operator::Ge
                | Operator::Pow
                | Operator::If
                | Operator::Else
                | Operator::Either
                | Operator::Complex
                | Operator::Own(_) => unreachable!("no monoid is written so"),
            }
        }
    };
}

float_operators!(apply_float, f32);
float_operators!(apply_double, f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_meet_in_the_wider_one() {
        let sum = apply(Operator::Add, TypedNumber::I64(2), TypedNumber::F32(0.5)).unwrap();
        assert_eq!(sum, TypedNumber::F32(2.5));
        let quotient = apply(Operator::Div, TypedNumber::I64(-7), TypedNumber::I64(2)).unwrap();
        assert_eq!(quotient, TypedNumber::I64(-3));
    }

    #[test]
    fn integers_wrap_and_refuse_zero() {
        let sum = apply(Operator::Add, TypedNumber::I64(i64::MAX), TypedNumber::I64(1)).unwrap();
        assert_eq!(sum, TypedNumber::I64(i64::MIN));
        assert!(apply(Operator::Div, TypedNumber::I64(1), TypedNumber::I64(0)).is_err());
    }

    #[test]
    fn identities_leave_values_alone() {
        for op in [Operator::Add, Operator::Mul, Operator::Min, Operator::Max] {
            for element in [Element::I64, Element::F32, Element::F64] {
                let five = TypedNumber::I64(5).to(element);
                assert_eq!(apply(op, identity(op, element), five).unwrap(), five);
            }
        }
    }
}
