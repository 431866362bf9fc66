//! MLIR's diagnostics as ours: passes report failures at locations, which lead back into the `.ta` source.

use comet_diag::{Diagnostic, Severity, Source, Span};
use comet_ir::pass::{INTERNAL_ERROR, is_report};
use comet_ir::{Loc, location};
use melior::Context;
use melior::diagnostic::{Diagnostic as MlirDiagnostic, DiagnosticHandlerId, DiagnosticSeverity};
use std::cell::RefCell;
use std::rc::Rc;

/// Collects a context's diagnostics while it lives.
pub(crate) struct Capture<'c> {
    context: &'c Context,
    handler: Option<DiagnosticHandlerId>,
    reports: Rc<RefCell<Vec<Report>>>,
}

/// A diagnostic of MLIR in plain Rust.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) kind: ReportKind,
    message: String,
    place: Option<SourceRange>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReportKind {
    Error,
    InternalError,
    Warning,
    /// An automatic decision with its reason.
    Decision,
}

/// A range of a file; lines and columns are 1-based, the end is exclusive.
#[derive(Debug)]
struct SourceRange {
    file: String,
    start: (usize, usize),
    end: (usize, usize),
}

impl<'c> Capture<'c> {
    pub(crate) fn new(context: &'c Context) -> Self {
        let reports = Rc::new(RefCell::new(Vec::new()));
        let sink = Rc::clone(&reports);
        let handler = context.attach_diagnostic_handler(move |diagnostic| {
            sink.borrow_mut().push(Report::new(&diagnostic));
            true
        });
        Self { context, handler: Some(handler), reports }
    }

    pub(crate) fn take(&self) -> Vec<Report> {
        self.reports.take()
    }
}

impl Drop for Capture<'_> {
    fn drop(&mut self) {
        if let Some(handler) = self.handler.take() {
            self.context.detach_diagnostic_handler(handler);
        }
    }
}

impl Report {
    fn new(diagnostic: &MlirDiagnostic<'_>) -> Self {
        let message = diagnostic.to_string();
        let place = location::range(diagnostic.location()).map(SourceRange::of_range);
        let kind = match diagnostic.severity() {
            DiagnosticSeverity::Error if is_report() && !message.starts_with(INTERNAL_ERROR) => {
                ReportKind::Error
            }
            DiagnosticSeverity::Error => ReportKind::InternalError,
            DiagnosticSeverity::Warning => ReportKind::Warning,
            DiagnosticSeverity::Remark | DiagnosticSeverity::Note => ReportKind::Decision,
        };
        Self { kind, message, place }
    }

    /// With its place in `source`, where it is one of that text.
    pub(crate) fn to_diagnostic(&self, source: &Source) -> Diagnostic {
        let (message, hint) = match self.message.split_once("\nhint: ") {
            Some((message, hint)) => (message, Some(hint.to_owned())),
            None => (self.message.as_str(), None),
        };
        let ours = self.kind == ReportKind::InternalError && !message.starts_with(INTERNAL_ERROR);
        let message = if ours { format!("{INTERNAL_ERROR}{message}") } else { message.to_owned() };
        let diagnostic = match self.place.as_ref().and_then(|place| place.span(source)) {
            Some(span) => Diagnostic::error(span, message),
            None => Diagnostic::error_without_place(message),
        };
        let severity = if self.kind == ReportKind::Warning { Severity::Warning } else { Severity::Error };
        Diagnostic { severity, hint, ..diagnostic }
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Its file, line and column, where it has a place.
    pub(crate) fn place(&self) -> Option<(&str, usize, usize)> {
        let place = self.place.as_ref()?;
        Some((&place.file, place.start.0, place.start.1))
    }
}

impl SourceRange {
    fn of_range(range: Loc<'_>) -> Self {
        let file = range.file_line_col_range_filename();
        Self {
            file: file.as_string_ref().as_str().unwrap_or("?").to_owned(),
            start: (range.file_line_col_range_start_line(), range.file_line_col_range_start_column()),
            end: (range.file_line_col_range_end_line(), range.file_line_col_range_end_column()),
        }
    }

    fn span(&self, source: &Source) -> Option<Span> {
        let offset = |(line, column)| source.offset_in(&self.file, line, column);
        Some(Span::new(offset(self.start)?, offset(self.end)?))
    }
}
