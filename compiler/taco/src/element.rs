//! `-t=A:double`: types by TACO's names and by those of C with a width.

use std::collections::HashMap;

use comet_diag::Diagnostic;
use comet_syntax::ast::Element;

use crate::command_line::{CommandLine, Flag};
use crate::expression::ExpressionNames;
use crate::flags::{self, FlagPart};

/// The types that flags give, by the tensors' names; all others are `double`.
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

/// Integers of every signed width are kept in 64 bits.
fn element(word: &str) -> Option<Element> {
    Some(match word {
        "double" | "float64" | "f64" => Element::F64,
        "float" | "float32" | "f32" => Element::F32,
        "char" | "short" | "int" | "long" | "longlong" | "int8" | "int16" | "int32" | "int64" | "i64" => {
            Element::I64
        }
        _ => return None,
    })
}

fn refuse(value: FlagPart<'_>) -> Diagnostic {
    const OTHERS: [&str; 14] = [
        "bool",
        "uchar",
        "ushort",
        "uint",
        "ulong",
        "ulonglong",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "complexfloat",
        "complexdouble",
        "complex64",
        "complex128",
    ];
    let hint = "the types are `double`, `float` and `int`";
    if OTHERS.contains(&value.text) {
        return Diagnostic::not_supported(value.span, format!("the type `{}`", value.text)).hint(hint);
    }
    Diagnostic::error(value.span, format!("unknown type `{}`", value.text)).hint(hint)
}
