//! The types of elements, and what is computed with them.
//!
//! A value is a word of 64 bits: an integer with its sign extended, the bits of a `Float` or a `Double`, 0 or
//! 1 of a `Bit`. What an operator does with words is found once, before anything runs.

use crate::app::{Function, Operator};

/// The type of an element, aliases followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Int,
    Long,
    U32,
    Float,
    Double,
    Bit,
}

/// What is computed from a word.
pub(super) type Unary = fn(u64) -> u64;

/// What is computed from two words.
pub(super) type Binary = fn(u64, u64) -> u64;

impl Scalar {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Int => "Int",
            Self::Long => "Long",
            Self::U32 => "U32",
            Self::Float => "Float",
            Self::Double => "Double",
            Self::Bit => "Bit",
        }
    }

    pub(super) fn bytes(self) -> u64 {
        match self {
            Self::Bit => 1,
            Self::Int | Self::U32 | Self::Float => 4,
            Self::Long | Self::Double => 8,
        }
    }

    pub(super) fn is_integer(self) -> bool {
        matches!(self, Self::Int | Self::Long | Self::U32)
    }

    /// The word of an integer, if the type has that number.
    pub(super) fn word_of_integer(self, value: i64) -> Option<u64> {
        match self {
            Self::Int => i32::try_from(value).ok().map(Word::to_word),
            Self::Long => Some(value.to_word()),
            Self::U32 => u32::try_from(value).ok().map(Word::to_word),
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
            Self::Int | Self::Long | Self::U32 => i64::from_word(word).to_string(),
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
        (Operator::Equal | Operator::NotEqual, Scalar::Bit) => Some(numeric::<u32>(operator)),
        (_, Scalar::Bit) => None,
        (_, Scalar::Int) => Some(numeric::<i32>(operator)),
        (_, Scalar::Long) => Some(numeric::<i64>(operator)),
        (_, Scalar::U32) => Some(numeric::<u32>(operator)),
        (_, Scalar::Float) => Some(numeric::<f32>(operator)),
        (_, Scalar::Double) => Some(numeric::<f64>(operator)),
    }
}

/// Whether an operator gives a `Bit` whatever it is applied to.
pub(super) fn is_comparison(operator: Operator) -> bool {
    use Operator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(operator, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}

fn numeric<W: Word>(operator: Operator) -> Binary {
    match operator {
        Operator::Add => |a, b| W::from_word(a).add(W::from_word(b)).to_word(),
        Operator::Subtract => |a, b| W::from_word(a).subtract(W::from_word(b)).to_word(),
        Operator::Multiply => |a, b| W::from_word(a).multiply(W::from_word(b)).to_word(),
        Operator::Divide => |a, b| W::from_word(a).divide(W::from_word(b)).to_word(),
        Operator::Remainder => |a, b| W::from_word(a).remainder(W::from_word(b)).to_word(),
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
        Scalar::Int => Some(|x| i32::from_word(x).wrapping_neg().to_word()),
        Scalar::Long => Some(|x| i64::from_word(x).wrapping_neg().to_word()),
        Scalar::Float => Some(|x| (-f32::from_word(x)).to_word()),
        Scalar::Double => Some(|x| (-f64::from_word(x)).to_word()),
        Scalar::U32 | Scalar::Bit => None,
    }
}

/// A function of one value, if the type has it.
pub(super) fn function(function: Function, of: Scalar) -> Option<Unary> {
    match (function, of) {
        (Function::Abs, Scalar::Int) => Some(|x| i32::from_word(x).wrapping_abs().to_word()),
        (Function::Abs, Scalar::Long) => Some(|x| i64::from_word(x).wrapping_abs().to_word()),
        (Function::Abs, Scalar::U32) => Some(|x| x),
        (Function::Abs, Scalar::Float) => Some(|x| f32::from_word(x).abs().to_word()),
        (Function::Abs, Scalar::Double) => Some(|x| f64::from_word(x).abs().to_word()),
        (Function::Exp, Scalar::Float) => Some(|x| f32::from_word(x).exp().to_word()),
        (Function::Exp, Scalar::Double) => Some(|x| f64::from_word(x).exp().to_word()),
        (Function::Sqrt, Scalar::Float) => Some(|x| f32::from_word(x).sqrt().to_word()),
        (Function::Sqrt, Scalar::Double) => Some(|x| f64::from_word(x).sqrt().to_word()),
        (Function::Exp | Function::Sqrt, Scalar::Int | Scalar::Long | Scalar::U32) => None,
        (_, Scalar::Bit) => None,
    }
}

/// `x.to[T]`: integers wrap; numbers with a fraction lose it, and come to the nearest integer that there is.
pub(super) fn convert(from: Scalar, to: Scalar) -> Option<Unary> {
    match (from, to) {
        (Scalar::Float, _) => convert_float(to),
        (Scalar::Double, _) => convert_double(to),
        (_, Scalar::Int) => Some(|x| (x as i32).to_word()),
        (_, Scalar::Long) => Some(|x| x),
        (_, Scalar::U32) => Some(|x| (x as u32).to_word()),
        (_, Scalar::Float) => Some(|x| (i64::from_word(x) as f32).to_word()),
        (_, Scalar::Double) => Some(|x| (i64::from_word(x) as f64).to_word()),
        (Scalar::Bit, Scalar::Bit) => Some(|x| x),
        (_, Scalar::Bit) => None,
    }
}

fn convert_float(to: Scalar) -> Option<Unary> {
    match to {
        Scalar::Int => Some(|x| (f32::from_word(x) as i32).to_word()),
        Scalar::Long => Some(|x| (f32::from_word(x) as i64).to_word()),
        Scalar::U32 => Some(|x| (f32::from_word(x) as u32).to_word()),
        Scalar::Float => Some(|x| x),
        Scalar::Double => Some(|x| f64::from(f32::from_word(x)).to_word()),
        Scalar::Bit => None,
    }
}

fn convert_double(to: Scalar) -> Option<Unary> {
    match to {
        Scalar::Int => Some(|x| (f64::from_word(x) as i32).to_word()),
        Scalar::Long => Some(|x| (f64::from_word(x) as i64).to_word()),
        Scalar::U32 => Some(|x| (f64::from_word(x) as u32).to_word()),
        Scalar::Float => Some(|x| (f64::from_word(x) as f32).to_word()),
        Scalar::Double => Some(|x| x),
        Scalar::Bit => None,
    }
}

/// A number in a word. Integers wrap; division by the integer 0 is refused before it comes here.
pub(super) trait Word: Copy + PartialOrd {
    fn from_word(word: u64) -> Self;
    fn to_word(self) -> u64;
    fn add(self, other: Self) -> Self;
    fn subtract(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    fn divide(self, other: Self) -> Self;
    fn remainder(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($integer:ident)*) => {$(
        impl Word for $integer {
            fn from_word(word: u64) -> Self {
                word as Self
            }
            fn to_word(self) -> u64 {
                i64::from(self) as u64
            }
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn subtract(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            fn multiply(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            fn divide(self, other: Self) -> Self {
                self.wrapping_div(other)
            }
            fn remainder(self, other: Self) -> Self {
                self.wrapping_rem(other)
            }
        }
    )*};
}

macro_rules! floats {
    ($($float:ident $bits:ident)*) => {$(
        impl Word for $float {
            fn from_word(word: u64) -> Self {
                Self::from_bits(word as $bits)
            }
            fn to_word(self) -> u64 {
                u64::from(self.to_bits())
            }
            fn add(self, other: Self) -> Self {
                self + other
            }
            fn subtract(self, other: Self) -> Self {
                self - other
            }
            fn multiply(self, other: Self) -> Self {
                self * other
            }
            fn divide(self, other: Self) -> Self {
                self / other
            }
            fn remainder(self, other: Self) -> Self {
                self % other
            }
        }
    )*};
}

integers! { i32 i64 u32 }
floats! { f32 u32 f64 u64 }

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
    fn floats_round() {
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
        assert_eq!(converted(Scalar::Long, Scalar::Int, (1i64 << 32 | 5).to_word()), "5");
        assert_eq!(converted(Scalar::Int, Scalar::U32, (-1i32).to_word()), "4294967295");
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
        assert_eq!(binary(Operator::Less, Scalar::Int).unwrap()((-1i32).to_word(), 0), 1);
    }
}
