//! `-t=A:double`: types by TACO's names and by those of C with a width.

use std::collections::HashMap;

use comet_diag::Diagnostic;
use comet_syntax::ast::Element;

use crate::command_line::{CommandLine, Flag};
use crate::expression::ExpressionNames;
use crate::flags::{self, FlagPart};

/// The types that flags state, by the tensors' names; all others are `double`.
pub(crate) fn elements(
    line: &CommandLine,
    expression: &ExpressionNames<'_>,
    errors: &mut Vec<Diagnostic>,
) -> HashMap<String, Element> {
    let flags = flags::about_tensors(line, Flag::Element, expression, errors);
    let mut elements = HashMap::new();
    for (name, value) in flags {
        match element(value.text) {
            Some(element) => drop(elements.insert(name, element)),
            None => errors.push(refuse(value)),
        }
    }
    elements
}

/// The types of the language under all their names. `int` has 64 bits here as it has there.
fn element(word: &str) -> Option<Element> {
    let word = match word {
        "float64" | "f64" => "double",
        "float32" | "f32" => "float",
        "char" => "int8",
        "short" => "int16",
        "long" | "longlong" | "i64" => "int",
        "uchar" => "uint8",
        "uint" => "uint32",
        "complexfloat" => "complex64",
        "complexdouble" => "complex128",
        word => word,
    };
    Element::named(word)
}

fn refuse(value: FlagPart<'_>) -> Diagnostic {
    const OTHERS: [&str; 5] = ["ushort", "ulong", "ulonglong", "uint16", "uint64"];
    let words: Vec<&str> = Element::ALL.iter().map(|element| element.word()).collect();
    let hint = format!("the types are `{}`", words.join("`, `"));
    if OTHERS.contains(&value.text) {
        return Diagnostic::not_supported(value.span, format!("the type `{}`", value.text)).hint(hint);
    }
    Diagnostic::error(value.span, format!("unknown type `{}`", value.text)).hint(hint)
}
