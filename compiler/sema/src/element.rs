//! Types of values, and numbers with the type they are written in.

use comet_syntax::ast::{self, Element};

use crate::program::Number;

/// A number with the type it is written in.
pub(crate) fn number(written: ast::Number) -> Number {
    written.integer.map_or(Number::Float(written.value), Number::Int)
}

/// `int` without a fraction and an exponent, else `double`.
pub(crate) fn number_element(number: Number) -> Element {
    match number {
        Number::Int(_) => Element::I64,
        Number::Float(_) => Element::F64,
    }
}
