//! What a step of the driver fails with.

use comet_backend_cpu::native::NativeError;
use comet_diag::{Color, Diagnostic, Form, Label, Source, without_place};
use std::fmt::Display;
use std::path::Path;

/// A failure, and whose fault it is.
#[derive(Debug)]
pub struct Failure {
    pub(crate) fault: FaultClass,
    diagnostics: Vec<Diagnostic>,
    /// The text that the diagnostics' places are in.
    source: Option<Source>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultClass {
    /// The user's: exit code 1.
    User,
    /// Ours: exit code 2, and a reproducer.
    Compiler,
}

/// How many messages are shown: more than anyone corrects at once, and far from flooding a terminal.
const MOST_SHOWN: usize = 20;

pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// A mistake in a program.
    pub fn in_source(diagnostics: Vec<Diagnostic>, source: &Source) -> Self {
        Self { fault: FaultClass::User, diagnostics, source: Some(source.clone()) }
    }

    /// A mistake of the user's that has no place in a source.
    pub(crate) fn user(diagnostic: Diagnostic) -> Self {
        Self { fault: FaultClass::User, diagnostics: vec![diagnostic], source: None }
    }

    pub(crate) fn plain(message: impl Into<String>) -> Self {
        Self::user(Diagnostic::error_without_place(message))
    }

    pub(crate) fn hinted(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::user(Diagnostic::error_without_place(message).hint(hint))
    }

    pub(crate) fn internal(message: impl Display) -> Self {
        let diagnostic = Diagnostic::error_without_place(format!("internal error: {message}"));
        Self { fault: FaultClass::Compiler, diagnostics: vec![diagnostic], source: None }
    }

    /// A mistake of ours that shows at a place.
    pub(crate) fn internal_in_source(diagnostics: Vec<Diagnostic>, source: &Source) -> Self {
        Self { fault: FaultClass::Compiler, ..Self::in_source(diagnostics, source) }
    }

    pub(crate) fn file(action: &str, path: &Path, reason: impl Display) -> Self {
        Self::plain(format!("cannot {action} `{}`: {reason}", path.display()))
    }

    /// Returns the failure with every text rewritten.
    #[must_use]
    pub fn rewritten(self, rewrite: impl Fn(&str) -> String) -> Self {
        let rewritten = |diagnostic: Diagnostic| Diagnostic {
            message: rewrite(&diagnostic.message),
            hint: diagnostic.hint.as_deref().map(&rewrite),
            labels: diagnostic
                .labels
                .into_iter()
                .map(|label| Label { text: rewrite(&label.text), ..label })
                .collect(),
            ..diagnostic
        };
        Self { diagnostics: self.diagnostics.into_iter().map(rewritten).collect(), ..self }
    }

    pub fn fault(&self) -> FaultClass {
        self.fault
    }

    /// Everything that is wrong.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The text that the diagnostics' places are in.
    pub fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }

    /// What is wrong, without places and hints: the first of the messages.
    pub(crate) fn first_message(&self) -> String {
        self.diagnostics.first().map(|diagnostic| diagnostic.message.clone()).unwrap_or_default()
    }

    /// The first messages, as a terminal shows them, and how many more there are.
    pub fn render(&self, color: Color) -> String {
        self.write(Form::Human, color)
    }

    pub(crate) fn write(&self, form: Form, color: Color) -> String {
        let nowhere = Source::new("", "");
        let source = self.source.as_ref().unwrap_or(&nowhere);
        let (shown, hidden) = self.diagnostics.split_at(self.diagnostics.len().min(MOST_SHOWN));
        let messages = form.write(shown, source, color);
        let more = match hidden.len() {
            0 => return messages,
            1 => "… and 1 more error".to_owned(),
            more => format!("… and {more} more errors"),
        };
        match form {
            Form::Human => format!("{messages}\n\n{more}"),
            Form::Short => format!("{messages}\n{more}"),
            Form::Json => format!("{messages}\n{}", without_place("note", "more", &more)),
        }
    }
}

impl From<NativeError> for Failure {
    fn from(error: NativeError) -> Self {
        match error {
            NativeError::User { message, hint } => {
                let diagnostic = Diagnostic::error_without_place(message);
                Self::user(Diagnostic { hint, ..diagnostic })
            }
            NativeError::Internal(message) => Self::internal(message),
        }
    }
}

impl From<comet_runtime::Error> for Failure {
    fn from(error: comet_runtime::Error) -> Self {
        match error.exit_code() {
            1 => Self::user(Diagnostic::error_without_place(error.to_string())),
            _ => Self::internal(error),
        }
    }
}

impl From<comet_gen::Error> for Failure {
    fn from(error: comet_gen::Error) -> Self {
        Self::user(Diagnostic::error_without_place(error.to_string()))
    }
}
