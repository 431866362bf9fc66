//! `--message-format`: the form in which this process writes its messages.

use crate::arguments::MessageFormat;
use comet_diag::{Form, without_place};
use comet_runtime::output;
use serde_json::json;
use std::io::Write as _;
use std::sync::OnceLock;

static FORM: OnceLock<Form> = OnceLock::new();

/// Takes the form that the command line asks for. The run time and the steps of the driver write lines such
/// as `error: a.ta:2:3: …`, `note: …` and tables, which become objects of their own.
pub(crate) fn choose(format: MessageFormat) {
    let form = match format {
        MessageFormat::Human => Form::Human,
        MessageFormat::Short => Form::Short,
        MessageFormat::Json => Form::Json,
    };
    FORM.get_or_init(|| form);
    match form {
        Form::Human => {}
        Form::Short => output::rewrite_messages(|text| short(&Line::of(text))),
        Form::Json => output::rewrite_messages(|text| json(&Line::of(text))),
    }
}

/// The form that was chosen.
pub(crate) fn form() -> Form {
    FORM.get().copied().unwrap_or_default()
}

/// Writes a message that has its form already.
pub(crate) fn write(text: &str) {
    // Nobody is left to tell where standard error is closed.
    let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// A message of the run time, taken apart.
struct Line<'t> {
    severity: &'static str,
    code: &'static str,
    place: Option<(&'t str, u64, u64)>,
    message: &'t str,
}

impl<'t> Line<'t> {
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

fn short(line: &Line<'_>) -> String {
    let message = format!("{}: {}", line.severity, line.message);
    line.place.map_or(message.clone(), |(file, row, column)| format!("{file}:{row}:{column}: {message}"))
}

fn json(line: &Line<'_>) -> String {
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

    /// What the run time writes has its place and its severity in every form.
    #[test]
    fn messages_of_the_run_time() {
        let line = Line::of("error: a.ta:2:3: no file");
        assert_eq!(short(&line), "a.ta:2:3: error: no file");
        let object: serde_json::Value = serde_json::from_str(&json(&line)).expect("is JSON");
        assert_eq!(
            (&object["file"], &object["line"], &object["code"]),
            (&json!("a.ta"), &json!(2), &json!("runtime"))
        );
        assert_eq!(Line::of("a: table").severity, "note");
    }
}
