//! What a pass fails with.

use crate::Loc;

/// A failure with the place of the operation that it is about.
#[derive(Debug)]
pub struct IrError<'c> {
    /// Where; `None` for a failure inside the wrappers, which is reported at the module.
    pub location: Option<Loc<'c>>,
    pub message: String,
    pub hint: Option<String>,
}

/// What a step of a pass returns.
pub type Result<'c, T> = std::result::Result<T, IrError<'c>>;

impl<'c> IrError<'c> {
    pub fn at(location: Loc<'c>, message: impl Into<String>) -> Self {
        Self { location: Some(location), message: message.into(), hint: None }
    }

    /// A part of the language that is not lowered yet.
    pub fn not_supported(location: Loc<'c>, what: impl std::fmt::Display) -> Self {
        Self::at(location, format!("not supported yet: {what}"))
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The whole text, as it is put into an MLIR diagnostic: the message, then the hint.
    pub fn text(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}\nhint: {hint}", self.message),
            None => self.message.clone(),
        }
    }
}

impl From<melior::Error> for IrError<'_> {
    fn from(error: melior::Error) -> Self {
        Self { location: None, message: error.to_string(), hint: None }
    }
}
