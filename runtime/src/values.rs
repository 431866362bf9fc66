//! The three element types, and arrays of one of them.

use crate::error::Error;
use crate::memory::{Array, Plain};
use comet_format::ValueType;
use comet_notation::Arithmetic;

/// An element type of tensors.
pub trait Value: Plain + PartialEq + std::fmt::Debug + Arithmetic {
    /// Its name in formats.
    const TYPE: ValueType;
    /// The negative; integers wrap.
    fn negated(self) -> Self;
    /// The array in a tensor, when it is of this type.
    fn array(values: &Values) -> Option<&Array<Self>>;
    /// The same, to write to.
    fn array_mut(values: &mut Values) -> Option<&mut Array<Self>>;
    /// An array as the values of a tensor.
    fn store(array: Array<Self>) -> Values;
    /// A column as the values of coordinates.
    fn column(values: Vec<Self>) -> ValueColumn;
    /// The values of a column, when they are of this type.
    fn slice(values: &ValueColumn) -> Option<&[Self]>;
    /// The same, to write to.
    fn column_mut(values: &mut ValueColumn) -> Option<&mut Vec<Self>>;
    /// Converts, where nothing is lost but precision: an integer takes integral numbers only.
    fn from_f64(value: f64) -> Option<Self>;
    /// Converts to the nearest value.
    fn from_i64(value: i64) -> Self;
    /// The value's bits, in the low ones of 64.
    fn bits(self) -> u64;
    /// The value of such bits.
    fn from_bits(bits: u64) -> Self;
    /// Whether it is 0.
    fn is_zero(self) -> bool {
        self == Self::default()
    }
}

macro_rules! value {
    ($type:ty, $variant:ident, $negated:expr, $from_f64:expr, $from_i64:expr, $bits:expr, $from_bits:expr) => {
        impl Value for $type {
            const TYPE: ValueType = ValueType::$variant;

            fn negated(self) -> Self {
                $negated(self)
            }
            fn array(values: &Values) -> Option<&Array<Self>> {
                if let Values::$variant(array) = values { Some(array) } else { None }
            }
            fn array_mut(values: &mut Values) -> Option<&mut Array<Self>> {
                if let Values::$variant(array) = values { Some(array) } else { None }
            }
            fn store(array: Array<Self>) -> Values {
                Values::$variant(array)
            }
            fn column(values: Vec<Self>) -> ValueColumn {
                ValueColumn::$variant(values)
            }
            fn slice(values: &ValueColumn) -> Option<&[Self]> {
                if let ValueColumn::$variant(values) = values { Some(values) } else { None }
            }
            fn column_mut(values: &mut ValueColumn) -> Option<&mut Vec<Self>> {
                if let ValueColumn::$variant(values) = values { Some(values) } else { None }
            }
            fn from_f64(value: f64) -> Option<Self> {
                $from_f64(value)
            }
            fn from_i64(value: i64) -> Self {
                $from_i64(value)
            }
            fn bits(self) -> u64 {
                $bits(self)
            }
            fn from_bits(bits: u64) -> Self {
                $from_bits(bits)
            }
        }
    };
}

value!(f64, F64, |a: f64| -a, Some, |v| v as f64, f64::to_bits, f64::from_bits);
value!(f32, F32, |a: f32| -a, |v| Some(v as f32), |v| v as f32, |v: f32| u64::from(v.to_bits()), |bits| {
    f32::from_bits(bits as u32)
});
value!(i64, I64, i64::wrapping_neg, integral, |v| v, |v| v as u64, |bits| bits as i64);

/// The integer a number is, if it is one that 64 bits hold.
fn integral(value: f64) -> Option<i64> {
    // 2^63 is a float, but no i64; −2^63 is both.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    (value.trunc() == value && (-LIMIT..LIMIT).contains(&value)).then_some(value as i64)
}

/// Evaluates an expression with `$ty` as the Rust type of a value type.
macro_rules! with_type {
    ($value:expr, $ty:ident => $body:expr) => {
        match $value {
            comet_format::ValueType::F64 => {
                type $ty = f64;
                $body
            }
            comet_format::ValueType::F32 => {
                type $ty = f32;
                $body
            }
            comet_format::ValueType::I64 => {
                type $ty = i64;
                $body
            }
        }
    };
}

/// Evaluates an expression with the array of some values, whatever their type.
macro_rules! with_values {
    ($values:expr, $array:ident => $body:expr) => {
        match $values {
            $crate::values::Values::F64($array) => $body,
            $crate::values::Values::F32($array) => $body,
            $crate::values::Values::I64($array) => $body,
        }
    };
}

pub(crate) use {with_type, with_values};

/// The values of a tensor.
#[derive(Debug)]
pub enum Values {
    /// `double`.
    F64(Array<f64>),
    /// `float`.
    F32(Array<f32>),
    /// `int`.
    I64(Array<i64>),
}

impl Values {
    /// No values.
    pub fn empty(of: ValueType) -> Self {
        with_type!(of, T => T::store(Array::empty()))
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        with_values!(self, array => array.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sets all values to zero.
    pub(crate) fn clear(&mut self) {
        with_values!(self, array => array.fill(Default::default()));
    }

    /// Whether the value at a position is 0.
    pub(crate) fn is_zero(&self, position: usize) -> bool {
        with_values!(self, array => array[position].is_zero())
    }

    /// The number of bytes of the values.
    pub fn bytes(&self) -> usize {
        with_values!(self, array => size_of_val(&array[..]))
    }
}

/// The values of a list of coordinates.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueColumn {
    /// `double`.
    F64(Vec<f64>),
    /// `float`.
    F32(Vec<f32>),
    /// `int`.
    I64(Vec<i64>),
}

impl ValueColumn {
    /// The number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::F64(values) => values.len(),
            Self::F32(values) => values.len(),
            Self::I64(values) => values.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The type of the values.
    pub fn value_type(&self) -> ValueType {
        match self {
            Self::F64(_) => ValueType::F64,
            Self::F32(_) => ValueType::F32,
            Self::I64(_) => ValueType::I64,
        }
    }

    /// The values in another type; a number that is no integer is refused where integers are wanted.
    pub fn converted<V: Value>(&self) -> Result<Vec<V>, Error> {
        match self {
            Self::F64(values) => values.iter().map(|&value| checked(value)).collect(),
            Self::F32(values) => values.iter().map(|&value| checked(f64::from(value))).collect(),
            Self::I64(values) => Ok(values.iter().map(|&value| V::from_i64(value)).collect()),
        }
    }

    /// The values in the type that is named, as an assignment converts them: fractions are cut off, and what
    /// is beyond 64 bits becomes the nearest integer.
    pub fn cast_to(self, to: ValueType) -> Result<Self, Error> {
        match (self, to) {
            (Self::F64(values), ValueType::I64) => {
                Ok(Self::I64(values.iter().map(|&value| value as i64).collect()))
            }
            (Self::F32(values), ValueType::I64) => {
                Ok(Self::I64(values.iter().map(|&value| value as i64).collect()))
            }
            (values, to) => values.converted_to(to),
        }
    }

    /// The values in the type that is named.
    pub fn converted_to(self, to: ValueType) -> Result<Self, Error> {
        if self.value_type() == to {
            return Ok(self);
        }
        Ok(with_type!(to, T => T::column(self.converted()?)))
    }
}

fn checked<V: Value>(value: f64) -> Result<V, Error> {
    V::from_f64(value).ok_or_else(|| {
        Error::Unsupported(format!(
            "the value {value} is not an integer of 64 bits, and the tensor holds `int`"
        ))
    })
}
