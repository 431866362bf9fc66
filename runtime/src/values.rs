//! Arrays of values: in the three types that are computed in, and as elements of narrower ones.

mod narrow;

use crate::asynchronous::is_forked;
use crate::error::Error;
use crate::memory::{Array, Plain};
use comet_format::ValueType;
use comet_notation::{Arithmetic, Complex};
use rayon::prelude::*;

/// Values that one task converts, few enough that they stay in the cache in both types.
const CAST_TASK: usize = 1 << 13;

/// An element of `complex64`.
pub type C64 = Complex<f32>;
/// An element of `complex128`.
pub type C128 = Complex<f64>;

/// A number as it lies in memory. What only moves values is generic over these, and knows no element types.
pub trait Cell: Plain + PartialEq + std::fmt::Debug {
    /// An array as the values of a tensor with elements of a type that is stored so.
    fn store(array: Array<Self>, of: ValueType) -> Values;
    /// The array in a tensor, when its numbers are of this width and kind.
    fn array(values: &Values) -> Option<&Array<Self>>;
    /// The same, to write to.
    fn array_mut(values: &mut Values) -> Option<&mut Array<Self>>;
    /// Where the numbers of a tensor lie, and how many they are, when they are of this width and kind;
    /// complex values are two numbers each.
    fn numbers(values: &Values) -> Option<(*mut Self, usize)> {
        Self::array(values).map(|array| (array.as_ptr(), array.len()))
    }
    /// Appends the bytes of a number, the lowest one first.
    fn push_bytes(self, to: &mut Vec<u8>);
}

/// A type that values are computed in. Elements of another type are converted when they are read and stored.
pub trait Value: Cell + Arithmetic {
    /// Its name in formats.
    const TYPE: ValueType;
    /// The negative; integers wrap.
    fn negated(self) -> Self;
    /// The conjugate; real values are their own.
    fn conjugated(self) -> Self {
        self
    }
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
    /// Converts a complex value to the nearest one; `None` where the type is real.
    fn from_complex(_value: C128) -> Option<Self> {
        None
    }
    /// The value's bits, in the low ones of 128; the real part's are the lower ones.
    fn bits(self) -> u128;
    /// The bits of a real value.
    fn word(self) -> u64 {
        self.bits() as u64
    }
    /// The value of such bits.
    fn from_bits(bits: u128) -> Self;
    /// Converts the value to an element of `of`, a narrower type that is computed in `Self`, as `int8` is in
    /// `i64`; returns its bits, the lowest ones.
    fn encoded(self, of: ValueType) -> u32;
    /// The inverse of [`Self::encoded`].
    fn decoded(bits: u32, of: ValueType) -> Self;
    /// Converts values to elements of `of`, a narrower type that is computed in `Self`.
    ///
    /// # Errors
    /// Fails if there is no memory for the elements.
    fn narrowed(values: &[Self], of: ValueType) -> Result<Values, Error>;
    /// True if the value is in the range of `of`, a type that is computed in `Self`; it may be rounded.
    fn fits(self, of: ValueType) -> bool;
    /// Whether it is 0.
    fn is_zero(self) -> bool {
        self == Self::default()
    }
}

macro_rules! cell {
    ($type:ty, $variant:ident $(, of $complex:ident)?) => {
        impl Cell for $type {
            fn store(array: Array<Self>, of: ValueType) -> Values {
                debug_assert!(of.is_computed(), "elements are stored as they are computed");
                Values::$variant(array)
            }
            fn array(values: &Values) -> Option<&Array<Self>> {
                if let Values::$variant(array) = values { Some(array) } else { None }
            }
            fn array_mut(values: &mut Values) -> Option<&mut Array<Self>> {
                if let Values::$variant(array) = values { Some(array) } else { None }
            }
            $(fn numbers(values: &Values) -> Option<(*mut Self, usize)> {
                match values {
                    Values::$variant(array) => Some((array.as_ptr(), array.len())),
                    Values::$complex(array) => Some((array.as_ptr().cast(), 2 * array.len())),
                    _ => None,
                }
            })?
            fn push_bytes(self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }
        }
    };
    ($type:ty, $variant:ident, parts) => {
        impl Cell for $type {
            fn store(array: Array<Self>, of: ValueType) -> Values {
                debug_assert!(of.is_computed(), "elements are stored as they are computed");
                Values::$variant(array)
            }
            fn array(values: &Values) -> Option<&Array<Self>> {
                if let Values::$variant(array) = values { Some(array) } else { None }
            }
            fn array_mut(values: &mut Values) -> Option<&mut Array<Self>> {
                if let Values::$variant(array) = values { Some(array) } else { None }
            }
            fn push_bytes(self, to: &mut Vec<u8>) {
                self.re.push_bytes(to);
                self.im.push_bytes(to);
            }
        }
    };
    ($type:ty, $variant:ident, narrow) => {
        impl Cell for $type {
            fn store(array: Array<Self>, of: ValueType) -> Values {
                Values::$variant(of, array)
            }
            fn array(values: &Values) -> Option<&Array<Self>> {
                if let Values::$variant(_, array) = values { Some(array) } else { None }
            }
            fn array_mut(values: &mut Values) -> Option<&mut Array<Self>> {
                if let Values::$variant(_, array) = values { Some(array) } else { None }
            }
            fn push_bytes(self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }
        }
    };
}

cell!(f64, F64, of C128);
cell!(f32, F32, of C64);
cell!(C128, C128, parts);
cell!(C64, C64, parts);
cell!(i64, I64);
cell!(u8, Bytes, narrow);
cell!(u16, Halves, narrow);
cell!(u32, Words, narrow);

/// How a type is found in columns: the functions of [`Value`] that depend on the variant alone.
macro_rules! column_of {
    ($variant:ident) => {
        fn column(values: Vec<Self>) -> ValueColumn {
            ValueColumn::$variant(values)
        }
        fn slice(values: &ValueColumn) -> Option<&[Self]> {
            if let ValueColumn::$variant(values) = values { Some(values) } else { None }
        }
        fn column_mut(values: &mut ValueColumn) -> Option<&mut Vec<Self>> {
            if let ValueColumn::$variant(values) = values { Some(values) } else { None }
        }
    };
}

macro_rules! value {
    ($type:ty, $variant:ident, $negated:expr, $from_f64:expr, $from_i64:expr, $bits:expr, $from_bits:expr, [$encoded:expr, $decoded:expr, $narrowed:expr, $fits:expr]) => {
        impl Value for $type {
            const TYPE: ValueType = ValueType::$variant;

            fn negated(self) -> Self {
                $negated(self)
            }
            column_of!($variant);
            fn from_f64(value: f64) -> Option<Self> {
                $from_f64(value)
            }
            fn from_i64(value: i64) -> Self {
                $from_i64(value)
            }
            fn bits(self) -> u128 {
                $bits(self)
            }
            fn from_bits(bits: u128) -> Self {
                $from_bits(bits)
            }
            fn encoded(self, of: ValueType) -> u32 {
                $encoded(of, self)
            }
            fn decoded(bits: u32, of: ValueType) -> Self {
                $decoded(of, bits)
            }
            fn narrowed(values: &[Self], of: ValueType) -> Result<Values, Error> {
                $narrowed(values, of)
            }
            fn fits(self, of: ValueType) -> bool {
                of.is_computed() || $fits(of, self)
            }
        }
    };
}

value!(
    f64,
    F64,
    |a: f64| -a,
    Some,
    |v| v as f64,
    |v: f64| u128::from(v.to_bits()),
    |bits| f64::from_bits(bits as u64),
    [no_bits, no_bits, no_elements, |_, _| true]
);
value!(
    f32,
    F32,
    |a: f32| -a,
    |v| Some(v as f32),
    |v| v as f32,
    |v: f32| u128::from(v.to_bits()),
    |bits| f32::from_bits(bits as u32),
    [ValueType::bits_of_float, ValueType::float_of_bits, narrow::floats, |of: ValueType, value: f32| {
        !value.is_finite() || of.rounded_float(value).is_finite()
    }]
);
value!(
    i64,
    I64,
    i64::wrapping_neg,
    integral,
    |v| v,
    |v: i64| u128::from(v as u64),
    |bits| bits as i64,
    [ValueType::bits_of_integer, ValueType::integer_of_bits, narrow::integers, ValueType::holds]
);

macro_rules! complex_value {
    ($part:ty, $variant:ident, $shift:literal) => {
        impl Value for Complex<$part> {
            const TYPE: ValueType = ValueType::$variant;

            fn negated(self) -> Self {
                self.negative()
            }
            fn conjugated(self) -> Self {
                self.conjugate()
            }
            column_of!($variant);
            fn from_f64(value: f64) -> Option<Self> {
                Some(Self { re: value as $part, im: 0.0 })
            }
            fn from_i64(value: i64) -> Self {
                Self { re: value as $part, im: 0.0 }
            }
            fn from_complex(value: C128) -> Option<Self> {
                Some(Self { re: value.re as $part, im: value.im as $part })
            }
            fn bits(self) -> u128 {
                Value::bits(self.re) | Value::bits(self.im) << $shift
            }
            fn from_bits(bits: u128) -> Self {
                let [re, im] = [bits, bits >> $shift].map(<$part as Value>::from_bits);
                Self { re, im }
            }
            fn encoded(self, of: ValueType) -> u32 {
                no_bits(of, self)
            }
            fn decoded(bits: u32, of: ValueType) -> Self {
                no_bits(of, bits)
            }
            fn narrowed(values: &[Self], of: ValueType) -> Result<Values, Error> {
                no_elements(values, of)
            }
            fn fits(self, _of: ValueType) -> bool {
                true
            }
        }
    };
}

complex_value!(f32, C64, 32);
complex_value!(f64, C128, 64);

/// No type is computed in `double`, or is complex, and stored in another one.
fn no_bits<V, B>(of: ValueType, _: V) -> B {
    unreachable!("elements of `{}` are not computed in `double`", of.word())
}

fn no_elements<V>(_: &[V], of: ValueType) -> Result<Values, Error> {
    no_bits(of, ())
}

/// The integer a number is, if it is one that 64 bits hold.
fn integral(value: f64) -> Option<i64> {
    // 2^63 is a float, but no i64; −2^63 is both.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    (value.trunc() == value && (-LIMIT..LIMIT).contains(&value)).then_some(value as i64)
}

/// Evaluates an expression with `$ty` as the Rust type that elements of a type are computed in.
macro_rules! with_type {
    ($value:expr, $ty:ident => $body:expr) => {
        match comet_format::ValueType::computed($value) {
            comet_format::ValueType::F64 => {
                type $ty = f64;
                $body
            }
            comet_format::ValueType::F32 => {
                type $ty = f32;
                $body
            }
            comet_format::ValueType::C64 => {
                type $ty = $crate::values::C64;
                $body
            }
            comet_format::ValueType::C128 => {
                type $ty = $crate::values::C128;
                $body
            }
            _ => {
                type $ty = i64;
                $body
            }
        }
    };
}

/// Evaluates an expression with `$cell` as the Rust type of the cells that hold elements of a type, and
/// `$computed` as the one that these are computed in.
macro_rules! with_stored {
    ($value:expr, $computed:ident, $cell:ident => $body:expr) => {
        match $value {
            value if value.is_computed() => $crate::values::with_type!(value, $cell => {
                type $computed = $cell;
                $body
            }),
            value if value.is_float() => {
                type $computed = f32;
                type $cell = u16;
                $body
            }
            value => {
                type $computed = i64;
                match value.bytes() {
                    1 => {
                        type $cell = u8;
                        $body
                    }
                    2 => {
                        type $cell = u16;
                        $body
                    }
                    _ => {
                        type $cell = u32;
                        $body
                    }
                }
            }
        }
    };
}

/// Evaluates an expression with `$cell` as the Rust type of the cells that hold elements of a type.
macro_rules! with_cell {
    ($value:expr, $cell:ident => $body:expr) => {
        $crate::values::with_stored!($value, _Computed, $cell => $body)
    };
}

/// Evaluates an expression with the array of some values, whatever their type.
macro_rules! with_values {
    ($values:expr, $array:ident => $body:expr) => {
        match $values {
            $crate::values::Values::F64($array) => $body,
            $crate::values::Values::F32($array) => $body,
            $crate::values::Values::I64($array) => $body,
            $crate::values::Values::C64($array) => $body,
            $crate::values::Values::C128($array) => $body,
            $crate::values::Values::Bytes(_, $array) => $body,
            $crate::values::Values::Halves(_, $array) => $body,
            $crate::values::Values::Words(_, $array) => $body,
        }
    };
}

pub(crate) use narrow::{Stores, cells};
pub(crate) use {with_cell, with_stored, with_type, with_values};

/// The values of a tensor.
#[derive(Debug)]
pub enum Values {
    /// `double`.
    F64(Array<f64>),
    /// `float`.
    F32(Array<f32>),
    /// `int`.
    I64(Array<i64>),
    /// `complex64`.
    C64(Array<C64>),
    /// `complex128`.
    C128(Array<C128>),
    /// Elements of a byte each, of that type.
    Bytes(ValueType, Array<u8>),
    /// Elements of two bytes.
    Halves(ValueType, Array<u16>),
    /// Elements of four bytes.
    Words(ValueType, Array<u32>),
}

impl Values {
    /// No values.
    pub fn empty(of: ValueType) -> Self {
        with_cell!(of, T => T::store(Array::empty(), of))
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
        match self.number(position) {
            StoredNumber::F64(value) => value.is_zero(),
            StoredNumber::F32(value, _) => value.is_zero(),
            StoredNumber::I64(value) => value.is_zero(),
            StoredNumber::C64(value) => value.is_zero(),
            StoredNumber::C128(value) => value.is_zero(),
        }
    }

    /// The number of bytes of the values.
    pub fn bytes(&self) -> usize {
        with_values!(self, array => size_of_val(&array[..]))
    }

    /// The element type.
    pub fn value_type(&self) -> ValueType {
        match self {
            Self::F64(_) => ValueType::F64,
            Self::F32(_) => ValueType::F32,
            Self::I64(_) => ValueType::I64,
            Self::C64(_) => ValueType::C64,
            Self::C128(_) => ValueType::C128,
            Self::Bytes(of, _) | Self::Halves(of, _) | Self::Words(of, _) => *of,
        }
    }

    /// The value at a position, in the type that it is computed in.
    pub(crate) fn number(&self, position: usize) -> StoredNumber {
        let decoded = |bits: u32, of: ValueType| match of.is_float() {
            true => StoredNumber::F32(f32::decoded(bits, of), of),
            false => StoredNumber::I64(i64::decoded(bits, of)),
        };
        match self {
            Self::F64(array) => StoredNumber::F64(array[position]),
            Self::F32(array) => StoredNumber::F32(array[position], ValueType::F32),
            Self::I64(array) => StoredNumber::I64(array[position]),
            Self::C64(array) => StoredNumber::C64(array[position]),
            Self::C128(array) => StoredNumber::C128(array[position]),
            Self::Bytes(of, array) => decoded(array[position].into(), *of),
            Self::Halves(of, array) => decoded(array[position].into(), *of),
            Self::Words(of, array) => decoded(array[position], *of),
        }
    }

    /// The values at some positions, in the type that they are computed in.
    pub(crate) fn gather(&self, positions: impl Iterator<Item = usize>) -> ValueColumn {
        match self {
            Self::F64(array) => Value::column(positions.map(|place| array[place]).collect::<Vec<f64>>()),
            Self::F32(array) => Value::column(positions.map(|place| array[place]).collect::<Vec<f32>>()),
            Self::I64(array) => Value::column(positions.map(|place| array[place]).collect::<Vec<i64>>()),
            Self::C64(array) => Value::column(positions.map(|place| array[place]).collect::<Vec<C64>>()),
            Self::C128(array) => Value::column(positions.map(|place| array[place]).collect::<Vec<C128>>()),
            Self::Bytes(of, array) => narrow::column(positions.map(|place| array[place].into()), *of),
            Self::Halves(of, array) => narrow::column(positions.map(|place| array[place].into()), *of),
            Self::Words(of, array) => narrow::column(positions.map(|place| array[place]), *of),
        }
    }

    /// Converts the values to another element type, as an assignment does.
    ///
    /// # Errors
    /// Fails if complex values are converted to a real type, or if there is no memory for the result.
    pub(crate) fn cast(&self, to: ValueType, what: &dyn std::fmt::Display) -> Result<Self, Error> {
        with_stored!(to, V, T => {
            let mut cells = Array::<T>::unspecified(self.len(), what)?;
            let convert = |(task, cells): (usize, &mut [T])| {
                let positions = task * CAST_TASK..task * CAST_TASK + cells.len();
                let column = self.gather(positions).cast_to(to)?;
                let values = V::slice(&column).expect("values were converted to the type");
                cells.iter_mut().zip(values).for_each(|(cell, value)| *cell = T::stored(*value, to));
                Ok::<(), Error>(())
            };
            match is_forked() {
                true => cells.chunks_mut(CAST_TASK).enumerate().try_for_each(convert)?,
                false => cells.par_chunks_mut(CAST_TASK).enumerate().try_for_each(convert)?,
            }
            Ok(T::store(cells, to))
        })
    }

    /// All values, in the type that they are computed in.
    pub fn computed(&self) -> ValueColumn {
        self.gather(0..self.len())
    }

    /// Computed values as elements of a type.
    ///
    /// # Errors
    /// Elements of a narrow type for which there is no memory.
    pub(crate) fn stored<V: Value>(values: Array<V>, of: ValueType) -> Result<Self, Error> {
        if of.is_computed() {
            return Ok(V::store(values, of));
        }
        V::narrowed(&values, of)
    }
}

/// A value in the type that it is computed in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StoredNumber {
    F64(f64),
    /// With the type that it is stored in.
    F32(f32, ValueType),
    I64(i64),
    C64(C64),
    C128(C128),
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
    /// `complex64`.
    C64(Vec<C64>),
    /// `complex128`.
    C128(Vec<C128>),
}

impl ValueColumn {
    /// The number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::F64(values) => values.len(),
            Self::F32(values) => values.len(),
            Self::I64(values) => values.len(),
            Self::C64(values) => values.len(),
            Self::C128(values) => values.len(),
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
            Self::C64(_) => ValueType::C64,
            Self::C128(_) => ValueType::C128,
        }
    }

    /// The values in another type; a number that is no integer is refused where integers are wanted.
    pub fn converted<V: Value>(&self) -> Result<Vec<V>, Error> {
        match self {
            Self::F64(values) => values.iter().map(|&value| checked(value)).collect(),
            Self::F32(values) => values.iter().map(|&value| checked(f64::from(value))).collect(),
            Self::I64(values) => Ok(values.iter().map(|&value| V::from_i64(value)).collect()),
            Self::C64(values) => {
                let wide = |value: &C64| C128 { re: value.re.into(), im: value.im.into() };
                values.iter().map(|value| from_complex(wide(value))).collect()
            }
            Self::C128(values) => values.iter().map(|&value| from_complex(value)).collect(),
        }
    }

    /// The values as an assignment to elements of a type converts them, in the type that these are computed
    /// in: fractions are cut off, what is beyond the integers of the type becomes the nearest one, and a
    /// truth is 0 or 1.
    pub fn cast_to(self, to: ValueType) -> Result<Self, Error> {
        if to.is_float() || to.is_complex() {
            return self.converted_to(to.computed());
        }
        Ok(Self::I64(match self {
            Self::C64(_) | Self::C128(_) => self.converted()?,
            Self::F64(values) => values.iter().map(|&value| to.integer_of_float(value)).collect(),
            Self::F32(values) => values.iter().map(|&value| to.integer_of_float(value.into())).collect(),
            Self::I64(values) => values.iter().map(|&value| to.rounded_integer(value)).collect(),
        }))
    }

    /// The values in the type that is named.
    pub fn converted_to(self, to: ValueType) -> Result<Self, Error> {
        if self.value_type() == to {
            return Ok(self);
        }
        Ok(with_type!(to, T => T::column(self.converted()?)))
    }
}

fn from_complex<V: Value>(value: C128) -> Result<V, Error> {
    V::from_complex(value).ok_or_else(|| {
        Error::Unsupported(format!("the values are complex, and the tensor holds `{}`", V::TYPE.word()))
    })
}

fn checked<V: Value>(value: f64) -> Result<V, Error> {
    V::from_f64(value).ok_or_else(|| {
        Error::Unsupported(format!(
            "the value {value} is not an integer of 64 bits, and the tensor holds `int`"
        ))
    })
}
