//! Elements as bits, and the values that they are computed as.

use super::{ValueKind, ValueType};
use half::{bf16, f16};

impl ValueType {
    /// Returns the bits that an element of a type of integers or truths stores of a value, the low ones.
    pub fn bits_of_integer(self, value: i64) -> u32 {
        match self.row().kind {
            ValueKind::Truth => u32::from(value != 0),
            _ => value as u32,
        }
    }

    /// Returns the value that such bits are; others' memory may hold another true value than 1.
    pub fn integer_of_bits(self, bits: u32) -> i64 {
        match self.row().kind {
            ValueKind::Truth => i64::from(bits != 0),
            ValueKind::Integer(min, _) => {
                let unused = 64 - 8 * self.bytes();
                let high = i64::from(bits) << unused;
                if min < 0 { high >> unused } else { (high as u64 >> unused) as i64 }
            }
            ValueKind::Float(_) | ValueKind::Complex(_) => i64::from(bits),
        }
    }

    /// Returns the bits of the half next to a value, of two as near the even one.
    pub fn bits_of_float(self, value: f32) -> u32 {
        u32::from(match self {
            Self::F16 => f16::from_f32(value).to_bits(),
            _ => bf16::from_f32(value).to_bits(),
        })
    }

    /// Returns the value of a half.
    pub fn float_of_bits(self, bits: u32) -> f32 {
        match self {
            Self::F16 => f16::from_bits(bits as u16).to_f32(),
            _ => bf16::from_bits(bits as u16).to_f32(),
        }
    }

    /// Returns an integer as an element stores it: it wraps, or is 0 or 1.
    pub fn rounded_integer(self, value: i64) -> i64 {
        if self.is_computed() { value } else { self.integer_of_bits(self.bits_of_integer(value)) }
    }

    /// Returns a `float` as an element stores it.
    pub fn rounded_float(self, value: f32) -> f32 {
        if self.is_computed() { value } else { self.float_of_bits(self.bits_of_float(value)) }
    }

    /// Returns the integer or truth that an element stores of a floating-point number: it is truncated
    /// towards 0, beyond the integers of the type it is the nearest one, and NaN is 0 as an integer and 1 as
    /// a truth.
    pub fn integer_of_float(self, value: f64) -> i64 {
        match self.row().kind {
            ValueKind::Truth => i64::from(value != 0.0),
            _ => self.nearest(value as i64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_and_truths_are_bits() {
        assert_eq!(ValueType::I8.rounded_integer(200), -56);
        assert_eq!(ValueType::U32.rounded_integer(-1), 4_294_967_295);
        assert_eq!(ValueType::U8.rounded_integer(-1), 255);
        assert_eq!(ValueType::I16.rounded_integer(40_000), -25_536);
        assert_eq!(ValueType::Bool.rounded_integer(2), 1);
        assert_eq!(ValueType::I64.rounded_integer(i64::MIN), i64::MIN);
    }

    #[test]
    fn halves_are_rounded_to_even() {
        assert_eq!(ValueType::F16.rounded_float(2049.0), 2048.0);
        assert_eq!(ValueType::F16.rounded_float(65_520.0), f32::INFINITY);
        assert_eq!(ValueType::BF16.rounded_float(257.0), 256.0);
    }

    #[test]
    fn floats_are_cut_to_the_integers_of_the_type() {
        let cut = |of: ValueType, values: [f64; 4]| values.map(|value| of.integer_of_float(value));
        assert_eq!(cut(ValueType::I8, [300.0, -300.0, -2.75, f64::NAN]), [127, -128, -2, 0]);
        assert_eq!(cut(ValueType::U8, [300.0, -300.0, 2.75, f64::NAN]), [255, 0, 2, 0]);
        assert_eq!(cut(ValueType::Bool, [0.25, -0.0, -2.75, f64::NAN]), [1, 0, 1, 1]);
    }
}
