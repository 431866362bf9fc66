//! The types of elements, and what is computed with them.
//!
//! A value is a word of 64 bits: an integer with its sign extended, the bits of a `Float` or a `Double`, 0 or
//! 1 of a `Bit`. What an operator does with words is found once, before anything runs.

use crate::app::{Function, Operator, Scalar};
use std::num::Wrapping;
use std::ops::{Add, Div, Mul, Rem, Sub};

/// What is computed from a word.
pub(super) type Unary = fn(u64) -> u64;

/// What is computed from two words.
pub(super) type Binary = fn(u64, u64) -> u64;

impl Scalar {
    /// The word of an integer, if the type has that number.
    pub(super) fn word_of_integer(self, value: i64) -> Option<u64> {
        match self {
            Self::Int => i32::try_from(value).ok().map(|value| Wrapping(value).to_word()),
            Self::Long => Some(value as u64),
            Self::U32 => u32::try_from(value).ok().map(u64::from),
            Self::Float => Some((value as f32).to_word()),
            Self::Double => Some((value as f64).to_word()),
            Self::Bit => None,
        }
    }

    /// The word of a number with a fraction, rounded to the type.
    pub(super) fn word_of_real(self, value: f64) -> Option<u64> {
        match self {
            Self::Float => Some((value as f32).to_word()),
            Self::Double => Some(value.to_word()),
            Self::Int | Self::Long | Self::U32 | Self::Bit => None,
        }
    }

    pub(super) fn show(self, word: u64) -> String {
        match self {
            Self::Int | Self::Long | Self::U32 => (word as i64).to_string(),
            Self::Float => f32::from_word(word).to_string(),
            Self::Double => f64::from_word(word).to_string(),
            Self::Bit => (word == 1).to_string(),
        }
    }
}

/// What an operator does with two values of a type, if that has it. Comparisons give a `Bit`.
pub(super) fn binary(operator: Operator, of: Scalar) -> Option<Binary> {
    match (operator, of) {
        (Operator::And, Scalar::Float | Scalar::Double) | (Operator::Or, Scalar::Float | Scalar::Double) => {
            None
        }
        (Operator::And, _) => Some(|a, b| a & b),
        (Operator::Or, _) => Some(|a, b| a | b),
        (Operator::Equal | Operator::NotEqual, Scalar::Bit) => Some(numeric::<Wrapping<u32>>(operator)),
        (_, Scalar::Bit) => None,
        (_, Scalar::Int) => Some(numeric::<Wrapping<i32>>(operator)),
        (_, Scalar::Long) => Some(numeric::<Wrapping<i64>>(operator)),
        (_, Scalar::U32) => Some(numeric::<Wrapping<u32>>(operator)),
        (_, Scalar::Float) => Some(numeric::<f32>(operator)),
        (_, Scalar::Double) => Some(numeric::<f64>(operator)),
    }
}

fn numeric<W: Word>(operator: Operator) -> Binary {
    match operator {
        Operator::Add => |a, b| (W::from_word(a) + W::from_word(b)).to_word(),
        Operator::Subtract => |a, b| (W::from_word(a) - W::from_word(b)).to_word(),
        Operator::Multiply => |a, b| (W::from_word(a) * W::from_word(b)).to_word(),
        Operator::Divide => |a, b| (W::from_word(a) / W::from_word(b)).to_word(),
        Operator::Remainder => |a, b| (W::from_word(a) % W::from_word(b)).to_word(),
        Operator::Min => |a, b| if is_nan::<W>(a) || W::from_word(b) < W::from_word(a) { b } else { a },
        Operator::Max => |a, b| if is_nan::<W>(a) || W::from_word(b) > W::from_word(a) { b } else { a },
        Operator::Equal => |a, b| u64::from(W::from_word(a) == W::from_word(b)),
        Operator::NotEqual => |a, b| u64::from(W::from_word(a) != W::from_word(b)),
        Operator::Less => |a, b| u64::from(W::from_word(a) < W::from_word(b)),
        Operator::LessEqual => |a, b| u64::from(W::from_word(a) <= W::from_word(b)),
        Operator::Greater => |a, b| u64::from(W::from_word(a) > W::from_word(b)),
        Operator::GreaterEqual => |a, b| u64::from(W::from_word(a) >= W::from_word(b)),
        Operator::And => |a, b| a & b,
        Operator::Or => |a, b| a | b,
    }
}

/// Whether a word is none of the type's numbers: `min` and `max` take the other operand then.
fn is_nan<W: Word>(word: u64) -> bool {
    let value = W::from_word(word);
    value.partial_cmp(&value).is_none()
}

/// `-x`, if the type has it.
pub(super) fn negate(of: Scalar) -> Option<Unary> {
    match of {
        Scalar::Int => Some(|x| (-<Wrapping<i32>>::from_word(x)).to_word()),
        Scalar::Long => Some(|x| x.wrapping_neg()),
        Scalar::Float => Some(|x| (-f32::from_word(x)).to_word()),
        Scalar::Double => Some(|x| (-f64::from_word(x)).to_word()),
        Scalar::U32 | Scalar::Bit => None,
    }
}

/// A function of one value, if the type has it.
pub(super) fn function(function: Function, of: Scalar) -> Option<Unary> {
    match (function, of) {
        (Function::Abs, Scalar::Int) => Some(|x| Wrapping((x as i32).wrapping_abs()).to_word()),
        (Function::Abs, Scalar::Long) => Some(|x| (x as i64).wrapping_abs() as u64),
        (Function::Abs, Scalar::U32) => Some(|x| x),
        (_, Scalar::Float) => Some(match function {
            Function::Abs => |x| f32::from_word(x).abs().to_word(),
            Function::Ceil => |x| f32::from_word(x).ceil().to_word(),
            Function::Cos => |x| f32::from_word(x).cos().to_word(),
            Function::Exp => |x| f32::from_word(x).exp().to_word(),
            Function::Floor => |x| f32::from_word(x).floor().to_word(),
            Function::Log => |x| f32::from_word(x).ln().to_word(),
            Function::Sin => |x| f32::from_word(x).sin().to_word(),
            Function::Sqrt => |x| f32::from_word(x).sqrt().to_word(),
            Function::Tanh => |x| f32::from_word(x).tanh().to_word(),
        }),
        (_, Scalar::Double) => Some(match function {
            Function::Abs => |x| f64::from_word(x).abs().to_word(),
            Function::Ceil => |x| f64::from_word(x).ceil().to_word(),
            Function::Cos => |x| f64::from_word(x).cos().to_word(),
            Function::Exp => |x| f64::from_word(x).exp().to_word(),
            Function::Floor => |x| f64::from_word(x).floor().to_word(),
            Function::Log => |x| f64::from_word(x).ln().to_word(),
            Function::Sin => |x| f64::from_word(x).sin().to_word(),
            Function::Sqrt => |x| f64::from_word(x).sqrt().to_word(),
            Function::Tanh => |x| f64::from_word(x).tanh().to_word(),
        }),
        _ => None,
    }
}

/// `x.to[T]`: integers wrap; numbers with a fraction lose it, and come to the nearest integer that there is.
pub(super) fn convert(from: Scalar, to: Scalar) -> Option<Unary> {
    match (from, to) {
        _ if from == to => Some(|x| x),
        (Scalar::Float, _) => from_real::<f32>(to),
        (Scalar::Double, _) => from_real::<f64>(to),
        (_, Scalar::Int) => Some(|x| Wrapping(x as i32).to_word()),
        (_, Scalar::Long) => Some(|x| x),
        (_, Scalar::U32) => Some(|x| u64::from(x as u32)),
        (_, Scalar::Float) => Some(|x| (x as i64 as f32).to_word()),
        (_, Scalar::Double) => Some(|x| (x as i64 as f64).to_word()),
        (_, Scalar::Bit) => None,
    }
}

/// Every number of single precision is one of double precision, so that nothing is lost on the way.
fn from_real<R: Word + Into<f64>>(to: Scalar) -> Option<Unary> {
    match to {
        Scalar::Int => Some(|x| Wrapping(R::from_word(x).into() as i32).to_word()),
        Scalar::Long => Some(|x| R::from_word(x).into() as i64 as u64),
        Scalar::U32 => Some(|x| u64::from(R::from_word(x).into() as u32)),
        Scalar::Float => Some(|x| (R::from_word(x).into() as f32).to_word()),
        Scalar::Double => Some(|x| R::from_word(x).into().to_word()),
        Scalar::Bit => None,
    }
}

/// A number in a word. Integers wrap; division by the integer 0 is refused before it comes here.
pub(super) trait Word:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
{
    fn from_word(word: u64) -> Self;
    fn to_word(self) -> u64;
}

macro_rules! words {
    ($($Number:ty: |$word:ident| $from:expr, |$number:ident| $to:expr;)*) => {$(
        impl Word for $Number {
            #[inline]
            fn from_word($word: u64) -> Self {
                $from
            }
            #[inline]
            fn to_word(self) -> u64 {
                let $number = self;
                $to
            }
        }
    )*};
}

words! {
    Wrapping<i32>: |word| Wrapping(word as i32), |number| i64::from(number.0) as u64;
    Wrapping<i64>: |word| Wrapping(word as i64), |number| number.0 as u64;
    Wrapping<u32>: |word| Wrapping(word as u32), |number| u64::from(number.0);
    f32: |word| Self::from_bits(word as u32), |number| u64::from(number.to_bits());
    f64: |word| Self::from_bits(word), |number| number.to_bits();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn computed(operator: Operator, of: Scalar, a: i64, b: i64) -> String {
        let word = |value| of.word_of_integer(value).unwrap();
        of.show(binary(operator, of).unwrap()(word(a), word(b)))
    }

    /// Integers wrap at the width of their type.
    #[test]
    fn integers_wrap() {
        let most = i64::from(i32::MAX);
        assert_eq!(computed(Operator::Add, Scalar::Int, most, 1), "-2147483648");
        assert_eq!(computed(Operator::Add, Scalar::Long, most, 1), "2147483648");
        assert_eq!(computed(Operator::Subtract, Scalar::U32, 0, 1), "4294967295");
        assert_eq!(computed(Operator::Multiply, Scalar::Int, 65537, 65537), "131073");
        assert_eq!(computed(Operator::Divide, Scalar::Int, -most - 1, -1), "-2147483648");
        assert_eq!(computed(Operator::Divide, Scalar::Int, -7, 2), "-3");
        assert_eq!(computed(Operator::Remainder, Scalar::Int, -7, 2), "-1");
    }

    /// A `Float` has 24 bits of precision, whatever it is computed with.
    #[test]
    fn floats_are_rounded() {
        assert_eq!(computed(Operator::Add, Scalar::Float, 16_777_216, 1), "16777216");
        assert_eq!(computed(Operator::Add, Scalar::Double, 16_777_216, 1), "16777217");
        assert_eq!(computed(Operator::Divide, Scalar::Float, 1, 3), "0.33333334");
    }

    /// Numbers that a type does not have are not made words of.
    #[test]
    fn numbers_that_a_type_does_not_have() {
        assert_eq!(Scalar::Int.word_of_integer(1 << 31), None);
        assert_eq!(Scalar::U32.word_of_integer(-1), None);
        assert_eq!(Scalar::Int.word_of_real(0.5), None);
    }

    /// Conversions wrap, cut off fractions, and end at the bounds of the type.
    #[test]
    fn conversions() {
        let converted = |from: Scalar, to: Scalar, word| to.show(convert(from, to).unwrap()(word));
        assert_eq!(converted(Scalar::Long, Scalar::Int, 1 << 32 | 5), "5");
        assert_eq!(converted(Scalar::Int, Scalar::U32, -1i64 as u64), "4294967295");
        assert_eq!(converted(Scalar::Double, Scalar::Int, (-2.75f64).to_word()), "-2");
        assert_eq!(converted(Scalar::Double, Scalar::Int, 1e12f64.to_word()), "2147483647");
        assert_eq!(converted(Scalar::Bit, Scalar::Double, 1), "1");
        assert!(convert(Scalar::Int, Scalar::Bit).is_none());
    }

    /// Minima and maxima of negative numbers are those of numbers, not of words.
    #[test]
    fn signs_count() {
        assert_eq!(computed(Operator::Min, Scalar::Int, -1, 2), "-1");
        assert_eq!(computed(Operator::Max, Scalar::Int, -1, 2), "2");
        assert_eq!(computed(Operator::Min, Scalar::Double, -1, -2), "-2");
        assert_eq!(binary(Operator::Less, Scalar::Int).unwrap()(-1i64 as u64, 0), 1);
    }
}
