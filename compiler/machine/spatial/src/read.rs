//! The text of an application to what it says: every name resolved, every construct known.
//!
//! What Scala lets one write in several ways becomes one: infix and dotted calls, ranges with and without
//! their beginning, `{ _ + _ }` and `{ (a, b) => a + b }`, arguments by name and by place. A reduction that
//! stands where a value does becomes a register of its own, set in front of the statement.

mod accel;
mod application;
mod array;
mod call;
mod class;
mod domain;
mod expression;
mod function;
mod header;
mod host;
mod memory;
mod name;
mod operator;
mod pattern;
mod scope;
mod sparse;
mod transfer;
mod typed;

use comet_diag::Diagnostic;

use crate::app::App;
use crate::text;
use std::ops::Deref;

#[derive(Clone, Debug, PartialEq)]
pub enum ReadError {
    /// It is nested deeper than the parser goes.
    TooDeep(Diagnostic),
    /// The first mistake in its grammar, or else the first in each of its statements.
    Mistakes(Vec<Diagnostic>),
}

impl Deref for ReadError {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        match self {
            Self::TooDeep(error) => std::slice::from_ref(error),
            Self::Mistakes(errors) => errors,
        }
    }
}

impl From<Diagnostic> for ReadError {
    fn from(error: Diagnostic) -> Self {
        Self::Mistakes(vec![error])
    }
}

/// Reads the application of a text.
///
/// # Errors
/// The text is no application, or nested too deeply.
pub fn read(text: &str) -> Result<App, ReadError> {
    application::application(&text::parse(text)?).map_err(ReadError::Mistakes)
}
