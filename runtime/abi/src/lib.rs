//! What generated code and the run time agree on. Plain data: the front end and the passes need no more of
//! the run time, and are built beside it.

// The crate is private to the workspace; a comment that repeats the name of a field or variant is left out.
pub mod contraction;
pub mod distribution;
pub mod functions;
pub mod kernel;
pub mod points;
pub mod processor;
pub mod reorder;
mod triangle;

pub use triangle::Triangle;

use comet_format::FormatError;

/// What stands for standard output in the place of a file that is written.
pub const STANDARD_OUTPUT: &str = "-";

/// Why a text in generated code cannot be read: a mistake of the compiler.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TextError(pub String);

impl From<FormatError> for TextError {
    fn from(error: FormatError) -> Self {
        Self(error.0)
    }
}
