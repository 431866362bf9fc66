//! What generated code and the run time agree on. Plain data: the front end and the passes need no more of
//! the run time, and are built beside it.

// The crate is private to the workspace; a comment that repeats the name of a field or variant is left out.
#![allow(missing_docs)]

pub mod contraction;
pub mod functions;
pub mod kernel;
pub mod points;
pub mod reorder;

use comet_format::FormatError;
use std::fmt;

/// Why a text in generated code cannot be read: a mistake of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError(pub String);

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TextError {}

impl From<FormatError> for TextError {
    fn from(error: FormatError) -> Self {
        Self(error.0)
    }
}
