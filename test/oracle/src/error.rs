//! What the oracle refuses.

use std::fmt;

use comet_diag::Span;

/// A program, or its data, that has no meaning; or one that this oracle does not cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OracleError {
    pub message: String,
    /// The place in the program, where there is one.
    pub span: Option<Span>,
}

/// The result of everything that can be refused.
pub(crate) type Result<T> = std::result::Result<T, OracleError>;

impl OracleError {
    /// An error of the data, or of the program as a whole.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), span: None }
    }

    /// An error at a place of the program.
    pub(crate) fn at(span: Span, message: impl Into<String>) -> Self {
        Self { message: message.into(), span: Some(span) }
    }

    /// The same error with a place, unless it has one already.
    pub(crate) fn placed(mut self, span: Span) -> Self {
        self.span.get_or_insert(span);
        self
    }
}

impl fmt::Display for OracleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.span {
            Some(span) => write!(f, "at byte {}: {}", span.start, self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for OracleError {}
