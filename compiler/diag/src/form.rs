//! The forms in which diagnostics are written: for people, for editors, for programs.

use serde_json::{Value, json};

use crate::{Color, Diagnostic, Label, Severity, Source, render};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Form {
    /// With an excerpt of the source.
    #[default]
    Human,
    /// `FILE:LINE:COLUMN: error: message (help: what to do)`.
    Short,
    /// An object on a line of its own; lines and columns from 1, columns in bytes of UTF-8.
    Json,
}

impl Form {
    /// The diagnostics as text, without a newline at its end. `color` is for people only.
    pub fn write(self, diagnostics: &[Diagnostic], source: &Source, color: Color) -> String {
        let (write, between): (&dyn Fn(&Diagnostic) -> String, &str) = match self {
            Self::Human => (&|diagnostic| render(diagnostic, source, color), "\n\n"),
            Self::Short => (&|diagnostic| short(diagnostic, source), "\n"),
            Self::Json => (&|diagnostic| object(diagnostic, source).to_string(), "\n"),
        };
        diagnostics.iter().map(write).collect::<Vec<_>>().join(between)
    }
}

fn short(diagnostic: &Diagnostic, source: &Source) -> String {
    let hint = diagnostic.hint.as_ref().map(|hint| format!(" (help: {hint})")).unwrap_or_default();
    let message = format!("{}: {}{hint}", severity(diagnostic.severity), diagnostic.message);
    let message = message.replace('\n', " ");
    match diagnostic.span() {
        Some(span) => {
            let (file, line, column) = source.place_in_bytes(span.start);
            format!("{file}:{line}:{column}: {message}")
        }
        None => message,
    }
}

/// A message with its places, as [`Form::Json`] has it.
pub fn object(diagnostic: &Diagnostic, source: &Source) -> Value {
    let (severity, code) = (severity(diagnostic.severity), diagnostic.code());
    let mut object = without_place(severity, code, &diagnostic.message);
    if let Some((first, others)) = diagnostic.labels.split_first() {
        let place = label(first, source);
        for key in ["file", "line", "column", "end_line", "end_column"] {
            object[key] = place[key].clone();
        }
        let own = (!first.text.is_empty()).then_some(place);
        let others = others.iter().map(|other| label(other, source));
        object["labels"] = own.into_iter().chain(others).collect();
    }
    object["hint"] = json!(diagnostic.hint);
    object
}

/// A message without a place in a source, as [`Form::Json`] has it.
pub fn without_place(severity: &str, code: &str, message: &str) -> Value {
    json!({
        "severity": severity, "code": code, "message": message, "file": null, "line": null, "column": null,
        "end_line": null, "end_column": null, "labels": [], "hint": null,
    })
}

fn label(label: &Label, source: &Source) -> Value {
    let (file, line, column) = source.place_in_bytes(label.span.start);
    let (_, end_line, end_column) = source.place_in_bytes(label.span.end.max(label.span.start));
    json!({
        "file": file, "line": line, "column": column, "end_line": end_line, "end_column": end_column,
        "text": label.text,
    })
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    /// Columns of programs count bytes, and second places and hints are kept.
    #[test]
    fn short_and_json() {
        let source = Source::new("a.ta", "x = 1;\n\u{e4} = y;\n");
        let error =
            Diagnostic::not_supported(Span::new(12, 13), "that").also(Span::new(0, 1), "here").hint("do");
        assert_eq!(
            Form::Short.write(std::slice::from_ref(&error), &source, Color::Always),
            "a.ta:2:6: error: not supported yet: that (help: do)"
        );
        let written: Value =
            serde_json::from_str(&Form::Json.write(&[error], &source, Color::Always)).expect("is JSON");
        assert_eq!(
            (&written["line"], &written["column"], &written["end_column"]),
            (&json!(2), &json!(6), &json!(7))
        );
        assert_eq!((&written["code"], &written["hint"]), (&json!("not-supported"), &json!("do")));
        assert_eq!(written["labels"][0]["text"], "here");
    }
}
