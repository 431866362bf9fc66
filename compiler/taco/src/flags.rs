//! `NAME:VALUE` flags: what they name, and what they say of it.

use comet_diag::{Diagnostic, Span};

use crate::command_line::{CommandLine, Flag};
use crate::expression::ExpressionNames;
use crate::names;

/// A part of a flag's value, with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlagPart<'line> {
    pub(crate) text: &'line str,
    pub(crate) span: Span,
}

impl<'line> FlagPart<'line> {
    pub(crate) fn new(line: &'line CommandLine, span: Span) -> Self {
        Self { text: line.text(span), span }
    }

    fn range(self, start: usize, end: usize) -> Self {
        FlagPart {
            text: &self.text[start..end],
            span: Span::new(self.span.start + start, self.span.start + end),
        }
    }

    /// Without white space around it.
    fn trimmed(self) -> Self {
        let start = self.text.len() - self.text.trim_start().len();
        self.range(start, start + self.text.trim().len())
    }

    /// What stands before and behind a sign.
    pub(crate) fn split_once(self, sign: char) -> Option<(Self, Self)> {
        let at = self.text.find(sign)?;
        Some((self.range(0, at).trimmed(), self.range(at + sign.len_utf8(), self.text.len()).trimmed()))
    }

    /// What stands between signs.
    pub(crate) fn split(self, sign: char) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut rest = self;
        while let Some((part, behind)) = rest.split_once(sign) {
            parts.push(part);
            rest = behind;
        }
        parts.push(rest.trimmed());
        parts
    }

    /// Each character with its place.
    pub(crate) fn characters(self) -> impl Iterator<Item = (char, Span)> {
        let start = self.span.start;
        let span = move |at: usize, c: char| Span::new(start + at, start + at + c.len_utf8());
        self.text.char_indices().map(move |(at, c)| (c, span(at, c)))
    }
}

/// A flag about a name: `A:ds:0,1` says `ds:0,1` of `A`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named<'line> {
    pub(crate) name: FlagPart<'line>,
    pub(crate) value: FlagPart<'line>,
}

/// What the flag's value has to look like.
fn form(flag: Flag) -> &'static str {
    match flag {
        Flag::Format => "`-f=A:ds` or `-f=A:ds:1,0`",
        Flag::Element => "`-t=A:double`",
        Flag::Size => "`-d=i:5` or `-d=A:5,6`",
        Flag::Input => "`-i=A:a.mtx`",
        Flag::Output => "`-o=y:y.tns`",
        Flag::Schedule => "`-s=\"reorder(i,j)\"`",
    }
}

/// The values of a flag that name something, each name once.
pub(crate) fn named<'line>(
    line: &'line CommandLine,
    flag: Flag,
    errors: &mut Vec<Diagnostic>,
) -> Vec<Named<'line>> {
    let mut found: Vec<Named<'_>> = Vec::new();
    for value in line.values(flag) {
        match split(FlagPart::new(line, value), flag) {
            Ok(named) => match found.iter().find(|other| other.name.text == named.name.text) {
                Some(other) => errors.push(twice(named, *other, flag)),
                None => found.push(named),
            },
            Err(error) => errors.push(error),
        }
    }
    found
}

/// A path may hold a colon, so the first one ends the name.
fn split(value: FlagPart<'_>, flag: Flag) -> Result<Named<'_>, Diagnostic> {
    let hint = format!("write {}", form(flag));
    let Some((name, value)) = value.split_once(':') else {
        let message = format!("`-{}` takes a name and a value with `:` between them", flag.letter());
        return Err(Diagnostic::error(value.span, message).hint(hint));
    };
    let is_name = name.text.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.text.chars().all(|c| c.is_ascii_alphanumeric());
    if !is_name {
        let message = format!("expected a name, found `{}`", name.text);
        return Err(Diagnostic::error(name.span, message).hint(hint));
    }
    Ok(Named { name, value })
}

fn twice(second: Named<'_>, first: Named<'_>, flag: Flag) -> Diagnostic {
    let message = format!("`{}` has two `-{}`", second.name.text, flag.letter());
    let error = Diagnostic::error(second.name.span.to(second.value.span), message);
    error.also(first.name.span.to(first.value.span), "the first one").hint("remove one of them")
}

/// The flags about tensors of the expression, by the names that these have in the program.
pub(crate) fn about_tensors<'line>(
    line: &'line CommandLine,
    flag: Flag,
    expression: &ExpressionNames<'_>,
    errors: &mut Vec<Diagnostic>,
) -> Vec<(String, FlagPart<'line>)> {
    let mut found = Vec::new();
    for Named { name, value } in named(line, flag, errors) {
        let tensor = names::to_ta(name.text);
        if expression.tensor(&tensor).is_some() {
            found.push((tensor, value));
        } else {
            errors.push(unknown(
                name,
                "tensor",
                expression.tensors.iter().map(|tensor| tensor.name.name.as_str()),
            ));
        }
    }
    found
}

/// A name that the expression does not have.
pub(crate) fn unknown<'a>(
    name: FlagPart<'_>,
    kind: &str,
    known: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let message = format!("the expression has no {kind} `{}`", name.text);
    let known: Vec<String> = known.map(|name| format!("`{}`", names::written(name))).collect();
    Diagnostic::error(name.span, message).hint(format!("it has {}", known.join(", ")))
}
