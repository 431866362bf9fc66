//! `print` in a line: texts, numbers and the entries of tensors, one behind the other.

use crate::function::{Lowered, Lowering};
use crate::scalar;
use comet_diag::Span;
use comet_ir::{Val, ta};
use comet_sema::program::{PrintItem, TensorId};

/// What is printed by one operation.
#[derive(Debug, PartialEq)]
enum Part<N> {
    Text(String),
    Number(N),
    Entries(TensorId),
}

/// `print("text", x, A)`. All numbers are computed before anything is printed.
pub(crate) fn line(lowering: &mut Lowering<'_, '_>, items: &[PrintItem], span: Span) -> Lowered<()> {
    let items = items.iter().map(|item| {
        Ok(match item {
            PrintItem::Text(text) => Part::Text(text.clone()),
            PrintItem::Scalar(value) => Part::Number(scalar::lower(lowering, value, value.element)?),
            PrintItem::Tensor(tensor) => Part::Entries(*tensor),
        })
    });
    let items: Vec<Part<Val<'_>>> = items.collect::<Lowered<_>>()?;
    parts(items).into_iter().try_for_each(|part| match part {
        Part::Text(text) => lowering.emit(span, |b| ta::PrintText::build(b, &text)),
        Part::Number(value) => lowering.emit(span, |b| ta::PrintNumber::build(b, value)),
        Part::Entries(id) => lowering.emit(span, |b| ta::PrintEntries::build(b, lowering.tensor(id))),
    })
}

/// The items with the spaces and line breaks between and behind them. Entries are lines of their own.
fn parts<N>(items: Vec<Part<N>>) -> Vec<Part<N>> {
    let mut written = Vec::new();
    // The text to be printed next, whether a part is on the line before it, and whether that has characters.
    let (mut text, mut has_part, mut has_characters) = (String::new(), false, false);
    let mut is_open = true;
    for item in items {
        is_open = !matches!(item, Part::Entries(_));
        if has_part && is_open {
            text.push(' ');
            has_characters = true;
        } else if has_characters {
            text.push('\n');
        }
        has_part = is_open;
        has_characters = is_open && (has_characters || !matches!(&item, Part::Text(own) if own.is_empty()));
        match item {
            Part::Text(own) => text.push_str(&own),
            part => written.extend(flushed(&mut text).into_iter().chain([part])),
        }
    }
    if is_open {
        text.push('\n');
    }
    written.extend(flushed(&mut text));
    written
}

/// The text so far, where there is some.
fn flushed<N>(text: &mut String) -> Option<Part<N>> {
    let text = std::mem::take(text);
    (!text.is_empty()).then_some(Part::Text(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is printed where a number is `1` and a tensor two lines of entries.
    fn printed(items: Vec<Part<i64>>) -> String {
        let text = |part: Part<i64>| match part {
            Part::Text(text) => text,
            Part::Number(value) => value.to_string(),
            Part::Entries(_) => "0 2\n1 3\n".to_owned(),
        };
        parts(items).into_iter().map(text).collect()
    }

    fn text(text: &str) -> Part<i64> {
        Part::Text(text.to_owned())
    }

    #[test]
    fn items_are_separated_by_a_space_and_end_a_line() {
        assert_eq!(printed(vec![text("a")]), "a\n");
        assert_eq!(printed(vec![text("")]), "\n");
        assert_eq!(printed(vec![text("a"), Part::Number(1), Part::Number(2), text("b")]), "a 1 2 b\n");
        assert_eq!(printed(vec![text(""), Part::Number(1)]), " 1\n");
    }

    #[test]
    fn entries_have_lines_of_their_own() {
        let entries = || Part::Entries(TensorId(0));
        assert_eq!(printed(vec![text("a"), entries()]), "a\n0 2\n1 3\n");
        assert_eq!(printed(vec![text(""), entries()]), "0 2\n1 3\n");
        assert_eq!(printed(vec![text(""), text(""), entries()]), " \n0 2\n1 3\n");
        assert_eq!(printed(vec![entries(), entries(), Part::Number(5)]), "0 2\n1 3\n0 2\n1 3\n5\n");
        assert_eq!(printed(vec![entries(), text("a"), entries()]), "0 2\n1 3\na\n0 2\n1 3\n");
    }
}
