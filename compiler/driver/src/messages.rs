//! `--message-format`: the form in which this process writes its messages.

use comet_diag::{Color, Diagnostic, Form, Source, Span, object, render, without_place};
use comet_runtime::{distributed, output};
use serde_json::json;
use std::io::Write as _;
use std::sync::OnceLock;

static FORM: OnceLock<Form> = OnceLock::new();

/// Takes the form that the command line asks for. The run time and the steps of the driver write lines such
/// as `error: a.ta:2:3: …`, `note: …` and tables, which become objects of their own.
pub(crate) fn choose(form: Form) {
    FORM.get_or_init(|| form);
    match form {
        Form::Human => {}
        Form::Short => output::rewrite_messages(|text| short(&RuntimeMessage::of(text))),
        Form::Json => output::rewrite_messages(|text| json(&RuntimeMessage::of(text))),
    }
}

/// The text that errors of the run time are in, and whether it is shown in color.
static SHOWN: OnceLock<(Source, Color)> = OnceLock::new();

/// From now on, errors of the run time show their line of a text, as those of the compiler do.
pub(crate) fn show_lines_of(source: &Source, color: Color) {
    SHOWN.get_or_init(|| (source.clone(), color));
    if form() == Form::Human {
        output::rewrite_messages(|text| {
            let shown = SHOWN.get().and_then(|(source, color)| {
                Some(render(&placed(&RuntimeMessage::of(text), source)?, source, *color))
            });
            shown.unwrap_or_else(|| text.to_owned())
        });
    }
}

/// An error of the run time at a place in a text.
fn placed(line: &RuntimeMessage<'_>, source: &Source) -> Option<Diagnostic> {
    let (name, row, column) = line.place.filter(|_| line.severity == "error")?;
    let start = source.offset_in(name, row.try_into().ok()?, column.try_into().ok()?)?;
    Some(Diagnostic::error(Span::new(start, end_of_value(source.text(), start)), line.message))
}

/// The end of what is marked from a place on: the value of a flag, which is the rest of its line, a word, or
/// a character.
fn end_of_value(text: &str, start: usize) -> usize {
    let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
    let is_flag = line > 0 && text[line..start].starts_with('-') && text[line..start].ends_with([':', '=']);
    if is_flag {
        return text[start..].find('\n').map_or(text.len(), |length| start + length);
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match text[start..].find(|c| !is_word(c)) {
        Some(0) => start + text[start..].chars().next().map_or(0, char::len_utf8),
        Some(length) => start + length,
        None => text.len(),
    }
}

pub(crate) fn form() -> Form {
    FORM.get().copied().unwrap_or_default()
}

/// Writes a message that does not end the process, of several processes in the first one.
pub(crate) fn write(text: &str) {
    if !distributed::is_first() {
        return;
    }
    // Where standard error is closed, nobody is left to read this.
    let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
}

struct RuntimeMessage<'t> {
    severity: &'static str,
    code: &'static str,
    place: Option<(&'t str, u64, u64)>,
    message: &'t str,
}

impl<'t> RuntimeMessage<'t> {
    fn of(text: &'t str) -> Self {
        let kinds = [
            ("error: ", "error", "runtime"),
            ("warning: ", "warning", "warning"),
            ("note: ", "note", "note"),
            ("explain: ", "note", "explain"),
        ];
        let kind = kinds
            .into_iter()
            .find_map(|(start, severity, code)| Some((text.strip_prefix(start)?, severity, code)));
        // Tables and summaries have no word in front.
        let (text, severity, code) = kind.unwrap_or((text, "note", "report"));
        match place(text) {
            Some((place, message)) => Self { severity, code, place: Some(place), message },
            None => Self { severity, code, place: None, message: text },
        }
    }
}

/// `a.ta:2:3` in front of `: message`.
fn place(text: &str) -> Option<((&str, u64, u64), &str)> {
    let (place, message) = text.split_once(": ")?;
    let (rest, column) = place.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some(((file, line.parse().ok()?, column.parse().ok()?), message))
}

fn short(line: &RuntimeMessage<'_>) -> String {
    let message = format!("{}: {}", line.severity, line.message);
    line.place.map_or(message.clone(), |(file, row, column)| format!("{file}:{row}:{column}: {message}"))
}

fn json(line: &RuntimeMessage<'_>) -> String {
    if let Some((source, _)) = SHOWN.get()
        && let Some(error) = placed(line, source)
    {
        let mut object = object(&error, source);
        object["code"] = json!(line.code);
        return object.to_string();
    }
    let mut object = without_place(line.severity, line.code, line.message);
    if let Some((file, row, column)) = line.place {
        for (key, value) in [("line", row), ("end_line", row), ("column", column), ("end_column", column)] {
            object[key] = json!(value);
        }
        object["file"] = json!(file);
    }
    object.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An error of the run time marks the value of the flag that it is about, or a place of the expression.
    #[test]
    fn errors_in_a_text_without_a_file() {
        let source = Source::new("<expression>", "y(i)=1/0*x(i)\n-t=y:int\n-i=x:none.tns\n-o=y:y.tns");
        let marked = |text: &str| {
            let error = placed(&RuntimeMessage::of(text), &source)?;
            let span = error.span().expect("has a place");
            Some((error.message, &source.text()[span.start..span.end]))
        };
        let found = marked("error: <expression>:3:6: no file");
        assert_eq!(found, Some(("no file".to_owned(), "none.tns")));
        assert_eq!(marked("error: <expression>:1:6: a zero").map(|(_, marked)| marked), Some("1"));
        let words = Source::new("<expression>", "alpha(i)=x(i)");
        let whole = placed(&RuntimeMessage::of("error: <expression>:1:1: no size"), &words)
            .and_then(|error| error.span());
        assert_eq!(whole.map(|span| &words.text()[span.start..span.end]), Some("alpha"));
        assert_eq!(marked("error: a.tns:1:6: no number"), None);
        assert_eq!(marked("note: <expression>:1:6: a note"), None);
    }

    /// What the run time writes has its place and its severity in every form.
    #[test]
    fn messages_of_the_run_time() {
        let line = RuntimeMessage::of("error: a.ta:2:3: no file");
        assert_eq!(short(&line), "a.ta:2:3: error: no file");
        let object: serde_json::Value = serde_json::from_str(&json(&line)).expect("is JSON");
        assert_eq!(
            (&object["file"], &object["line"], &object["code"]),
            (&json!("a.ta"), &json!(2), &json!("runtime"))
        );
        assert_eq!(RuntimeMessage::of("a: table").severity, "note");
    }
}
