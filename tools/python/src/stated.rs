//! What callers state in words and numbers: what is computed, formats and types of operands, settings,
//! literals.

use crate::errors;
use crate::operand::{Copying, ScalarValue, Usage, View, ViewValue};
use crate::tensor::format_text;
use comet_expression::{Einsum, OperandKind, ScalarLiteral, format_of_text};
use comet_format::{TypedFormat, ValueType};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What is computed.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    /// Statements with the names of operands.
    Statements(String),
    Einsum {
        subscripts: String,
        einsum: Box<Einsum>,
    },
    /// A file, and the name of one of its functions.
    File {
        name: String,
        text: String,
        function: String,
    },
}

/// What is stated of operands.
pub(crate) struct Expected {
    pub(crate) operands: Vec<OperandKind>,
    /// Whether their element types are stated.
    pub(crate) element: bool,
    /// Whether the widths of their indices are.
    pub(crate) index: bool,
}

impl Expected {
    /// Whether an operand is as stated. Dense ones may have their modes in any order.
    pub(crate) fn has(&self, place: usize, found: &OperandKind) -> bool {
        match (&self.operands[place], found) {
            (OperandKind::Scalar(_), OperandKind::Scalar(_)) => true,
            (OperandKind::Tensor(stated), OperandKind::Tensor(found)) => {
                let is_dense = stated.format.is_dense() && found.format.is_dense();
                let has_format = stated.format.levels == found.format.levels
                    || is_dense && stated.format.rank == found.format.rank;
                let has_width = is_dense || stated.format.index_width == found.format.index_width;
                has_format && (!self.element || stated.value == found.value) && (!self.index || has_width)
            }
            _ => false,
        }
    }
}

/// A number that a program has as a literal.
pub(crate) fn literal(object: &Bound<'_, PyAny>) -> PyResult<ScalarLiteral> {
    match View::of(object, Usage::Scalar, Copying::Refused)?.value {
        ViewValue::ScalarValue(ScalarValue::Integer(integer)) => Ok(ScalarLiteral::Integer(integer)),
        ViewValue::ScalarValue(ScalarValue::Real(real)) if real.is_finite() => Ok(ScalarLiteral::Real(real)),
        _ => {
            let message =
                format!("a program has literals of integers and finite real numbers only, found {object}");
            Err(errors::not_supported(object.py(), message))
        }
    }
}

/// A setting that is false where it is left out.
pub(crate) fn flag(settings: &Bound<'_, PyDict>, key: &str) -> PyResult<bool> {
    settings.get_item(key)?.map_or(Ok(false), |value| value.extract())
}

/// Operands as a format, an element type and a rank; the format of a scalar is `scalar`.
pub(crate) fn formats_of(
    py: Python<'_>,
    formats: Vec<(String, String, usize)>,
) -> PyResult<Vec<OperandKind>> {
    let kind = |(format, element, rank): (String, String, usize)| {
        let element = element_of(&element)?;
        if format == "scalar" {
            return Ok(OperandKind::Scalar(element));
        }
        let format =
            format_of_text(&format, rank).map_err(|(_, found)| errors::of_format(py, &format, &found))?;
        Ok(OperandKind::Tensor(TypedFormat { value: element, format }))
    };
    formats.into_iter().map(kind).collect()
}

/// An element type by the language's word or by NumPy's.
pub(crate) fn element_of(word: &str) -> PyResult<ValueType> {
    let word = match word {
        "float64" => "double",
        "float32" => "float",
        "int64" => "int",
        other => other,
    };
    let found = ValueType::ALL.into_iter().find(|element| element.word() == word);
    let found = found.filter(|element| element.row().numpy.is_some());
    found.ok_or_else(|| {
        PyValueError::new_err(format!("`{word}` is no element type of NumPy's arrays and of tensors"))
    })
}

/// An operand's format, or `scalar`, with its element type and its rank.
pub(crate) fn words(kind: &OperandKind) -> (String, &'static str, usize) {
    match kind {
        OperandKind::Scalar(value) => ("scalar".to_owned(), value.word(), 0),
        OperandKind::Tensor(typed) => (format_text(&typed.format), typed.value.word(), typed.format.rank),
    }
}

/// The number of modes of an operand.
pub(crate) fn rank(kind: &OperandKind) -> usize {
    match kind {
        OperandKind::Tensor(typed) => typed.format.rank,
        OperandKind::Scalar(_) => 0,
    }
}
