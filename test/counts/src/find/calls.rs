//! Calls that address operations by number or by name, recognized by their tokens, so also inside macros.

use crate::count::Finding;
use crate::file::{RustFile, SourceToken};

/// The methods that look up, set or remove the attribute that the first argument names.
const ATTRIBUTES: [&str; 4] = ["attribute", "set_attribute", "remove_attribute", "set_raw_attribute"];

/// The functions that look up the attribute of an operation, the first argument, that the second one names.
const READERS: [&str; 7] =
    ["attribute", "integer", "of", "optional_integer", "optional_text", "text", "texts"];

/// Finds `.operand(N)` with a literal number.
pub(crate) fn operand_numbers(file: &RustFile<'_>) -> Vec<Finding> {
    numbered(file, "operand")
}

/// Finds `.body(N)` with a literal number.
pub(crate) fn body_numbers(file: &RustFile<'_>) -> Vec<Finding> {
    numbered(file, "body")
}

/// Finds the calls of a method that takes the name of an attribute.
pub(crate) fn attribute_names(file: &RustFile<'_>) -> Vec<Finding> {
    windows(file, |[dot, name, open, argument]| {
        let names = argument.text != ")" && argument.text != "|";
        dot.text == "." && ATTRIBUTES.contains(&name.text.as_str()) && open.text == "(" && names
    })
}

/// Finds `integer(op, "name")` and the like.
pub(crate) fn attribute_readers(file: &RustFile<'_>) -> Vec<Finding> {
    // Readers of other texts have the same names.
    if !file.text.text.contains("comet_ir") {
        return Vec::new();
    }
    windows(file, |[function, open, _, comma, name, close]| {
        let around = [open, comma, close].map(|token| token.text.as_str());
        READERS.contains(&function.text.as_str()) && around == ["(", ",", ")"] && is_name(&name.text)
    })
}

/// Finds `.is::<T>()`.
pub(crate) fn is(file: &RustFile<'_>) -> Vec<Finding> {
    turbofish(file, "is")
}

/// Finds `descendants::<T>(…)`.
pub(crate) fn descendants(file: &RustFile<'_>) -> Vec<Finding> {
    turbofish(file, "descendants")
}

/// Finds `.unwrap()`.
pub(crate) fn unwrap(file: &RustFile<'_>) -> Vec<Finding> {
    windows(file, |[dot, name, open, close]| {
        [dot, name, open, close].map(|token| token.text.as_str()) == [".", "unwrap", "(", ")"]
    })
}

/// Returns whether a token is a string literal that can name an attribute.
fn is_name(literal: &str) -> bool {
    let name = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    name.is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
}

fn numbered(file: &RustFile<'_>, method: &str) -> Vec<Finding> {
    windows(file, |[dot, name, open, number, close]| {
        let around = [dot, name, open, close].map(|token| token.text.as_str());
        around == [".", method, "(", ")"] && number.text.starts_with(|digit: char| digit.is_ascii_digit())
    })
}

fn turbofish(file: &RustFile<'_>, method: &str) -> Vec<Finding> {
    windows(file, |[name, first, second, open]| {
        [name, first, second, open].map(|token| token.text.as_str()) == [method, ":", ":", "<"]
    })
}

/// Finds the runs of `N` tokens that are wanted, at the line of the second one.
fn windows<const N: usize>(
    file: &RustFile<'_>,
    is_wanted: impl Fn(&[SourceToken; N]) -> bool,
) -> Vec<Finding> {
    let runs = file.tokens.windows(N).filter_map(|run| <&[SourceToken; N]>::try_from(run).ok());
    runs.filter(|run| is_wanted(run)).map(|run| Finding::line(run[1].line)).collect()
}
