//! Values: tokens and arrays hold their bits, in the low ones of 64.

use super::Element;
use comet_notation::fortran;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TypedValue {
    F64(f64),
    F32(f32),
    I64(i64),
}

impl TypedValue {
    pub fn zero(element: Element) -> Self {
        Self::from_bits(0, element)
    }

    pub fn from_bits(bits: u64, element: Element) -> Self {
        match element.computed() {
            Element::F64 => Self::F64(f64::from_bits(bits)),
            Element::F32 => Self::F32(f32::from_bits(bits as u32)),
            _ => Self::I64(bits.cast_signed()),
        }
    }

    pub fn bits(self) -> u64 {
        match self {
            Self::F64(value) => value.to_bits(),
            Self::F32(value) => u64::from(value.to_bits()),
            Self::I64(value) => value.cast_unsigned(),
        }
    }

    pub fn element(self) -> Element {
        match self {
            Self::F64(_) => Element::F64,
            Self::F32(_) => Element::F32,
            Self::I64(_) => Element::I64,
        }
    }

    /// Whether it is 0, of either sign.
    pub fn is_zero(self) -> bool {
        match self {
            Self::F64(value) => value == 0.0,
            Self::F32(value) => value == 0.0,
            Self::I64(value) => value == 0,
        }
    }

    /// The value as an element of a type stores it, in the type that such elements are computed in; what is
    /// between integers is cut off towards 0.
    #[must_use]
    pub fn to(self, element: Element) -> Self {
        match (self, element.computed()) {
            (Self::F64(value), Element::F64) => Self::F64(value),
            (Self::F32(value), Element::F64) => Self::F64(f64::from(value)),
            (Self::I64(value), Element::F64) => Self::F64(value as f64),
            (Self::F64(value), Element::F32) => Self::F32(element.rounded_float(value as f32)),
            (Self::F32(value), Element::F32) => Self::F32(element.rounded_float(value)),
            (Self::I64(value), Element::F32) => Self::F32(element.rounded_float(value as f32)),
            (Self::F64(value), _) => Self::I64(element.integer_of_float(value)),
            (Self::F32(value), _) => Self::I64(element.integer_of_float(value.into())),
            (Self::I64(value), _) => Self::I64(element.rounded_integer(value)),
        }
    }

    /// The value that a text says, if it says one of this type; Fortran may have written it.
    pub fn parse(text: &str, element: Element) -> Option<Self> {
        let plain = fortran::with_plain_exponent(text);
        let text = plain.as_deref().unwrap_or(text);
        match element.computed() {
            Element::F64 => text.parse().ok().map(Self::F64),
            Element::F32 => text.parse().ok().map(Self::F32),
            _ => text.parse().ok().map(Self::I64),
        }
    }
}

impl fmt::Display for TypedValue {
    /// The shortest digits that give the value back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::F64(value) => write!(f, "{value:?}"),
            Self::F32(value) => write!(f, "{value:?}"),
            Self::I64(value) => write!(f, "{value}"),
        }
    }
}

impl From<f64> for TypedValue {
    fn from(value: f64) -> Self {
        Self::F64(value)
    }
}

impl From<f32> for TypedValue {
    fn from(value: f32) -> Self {
        Self::F32(value)
    }
}

impl From<i64> for TypedValue {
    fn from(value: i64) -> Self {
        Self::I64(value)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    pub element: Element,
    pub bits: Vec<u64>,
}

impl Default for Values {
    fn default() -> Self {
        Self::zeros(Element::F64, 0)
    }
}

impl Values {
    pub fn zeros(element: Element, count: usize) -> Self {
        Self { element, bits: vec![0; count] }
    }

    pub fn len(&self) -> usize {
        self.bits.len()
    }

    pub fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    pub fn get(&self, position: usize) -> Option<TypedValue> {
        self.bits.get(position).map(|&bits| TypedValue::from_bits(bits, self.element))
    }

    pub fn iter(&self) -> impl Iterator<Item = TypedValue> {
        self.bits.iter().map(|&bits| TypedValue::from_bits(bits, self.element))
    }
}

impl From<Vec<f64>> for Values {
    fn from(values: Vec<f64>) -> Self {
        Self { element: Element::F64, bits: values.into_iter().map(f64::to_bits).collect() }
    }
}
