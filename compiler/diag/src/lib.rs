//! Source spans and diagnostics.
//!
//! A [`Diagnostic`] says what was found and what was expected, points at one place (and at others that
//! explain it), and carries a hint that says what to do. Messages are lower case, without a full stop,
//! names in backticks.

mod form;
mod render;
mod source;

pub use form::{Form, object, without_place};
pub use render::{Color, render};
pub use source::{Source, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Compilation stops.
    Error,
    /// Compilation goes on.
    Warning,
    /// Compilation goes on, and what it does may not be what was meant.
    Note,
}

/// A place with a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Bytes of the source the remark is about.
    pub span: Span,
    /// What is to be said of them; may be empty.
    pub text: String,
}

/// One message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    /// What was found and what was expected.
    pub message: String,
    /// Where; the first label is the primary place. Empty only for what has no place in a source.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub hint: Option<String>,
}

/// Adds an error, and returns that there is nothing in the place of what it is about.
pub fn refuse<T>(errors: &mut Vec<Diagnostic>, error: Diagnostic) -> Option<T> {
    errors.push(error);
    None
}

impl Diagnostic {
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        let label = Label { span, text: String::new() };
        Self { severity: Severity::Error, message: message.into(), labels: vec![label], hint: None }
    }

    /// A note on the text at `span`.
    pub fn note(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Note, ..Self::error(span, message) }
    }

    /// An error that has no place in a source, such as a missing file.
    pub fn error_without_place(message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, message: message.into(), labels: Vec::new(), hint: None }
    }

    /// An error for what the language defines and this compiler does not do yet.
    pub fn not_supported(span: Span, what: impl std::fmt::Display) -> Self {
        Self::error(span, format!("not supported yet: {what}"))
    }

    /// The remark under the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(first) = self.labels.first_mut() {
            first.text = text.into();
        }
        self
    }

    /// A second place that explains the first.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(mut self, text: impl Into<String>) -> Self {
        self.hint = Some(text.into());
        self
    }

    /// A short word by which programs distinguish kinds of messages, which stays when a message changes.
    pub fn code(&self) -> &'static str {
        match self.severity {
            Severity::Warning => "warning",
            Severity::Note => "note",
            Severity::Error if self.message.starts_with("internal error: ") => "internal",
            Severity::Error if self.message.starts_with("not supported yet: ") => "not-supported",
            Severity::Error => "error",
        }
    }

    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}
