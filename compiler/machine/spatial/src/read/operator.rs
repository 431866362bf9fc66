//! Operators, and the functions that reductions combine values with.

use super::call::{Call, block, single};
use crate::app::Operator;
use crate::text::Result;
use crate::text::tree::{Braces, ItemKind, Term, TermArgument, TermKind, Word};
use comet_diag::{Diagnostic, Span};

pub(super) fn binary(sign: &Word) -> Result<Operator> {
    Operator::of_sign(&sign.text).filter(|operator| !operator.is_function()).ok_or_else(|| unknown(sign))
}

/// An error for an operator that values do not have.
pub(super) fn unknown(sign: &Word) -> Diagnostic {
    let error = match sign.text.as_str() {
        "<<" | ">>" | "^" | "~" => {
            return Diagnostic::not_supported(sign.span, format!("`{}` of numbers", sign.text))
                .hint("shifts are products and quotients: `x * 2`, `x / 2`");
        }
        other => Diagnostic::error(sign.span, format!("`{other}` is no operator of values")),
    };
    match sign.text.as_str() {
        "+=" | "-=" | "*=" | "/=" => error.hint("a register is set by `r := r + x`"),
        ":=" => error.hint("setting a register is a statement of its own"),
        "::" => error.hint("a range is a part of a DRAM: `m load d(0::n)`"),
        _ => error.hint("there are `+ - * / %`, comparisons, `&&`, `||` and `!`"),
    }
}

/// What `{ _ + _ }`, `{ (a, b) => a + b }`, `{ min(_, _) }` combine two values with.
pub(super) fn combination(list: &[TermArgument], span: Span) -> Result<Operator> {
    let expected = || {
        Diagnostic::error(span, "not a way to combine two values").hint(
            "it is written `{ _ + _ }`, or `{ (a, b) => a + b }`, also with `*`, `min`, `max`, `&&`, `||`",
        )
    };
    let braces = block(list).ok_or_else(expected)?;
    let [item] = &braces.items[..] else { return Err(expected()) };
    let ItemKind::Term(term) = &item.kind else { return Err(expected()) };
    let (operator, left, right) = operands(term)?.ok_or_else(expected)?;
    let names = names(braces).ok_or_else(expected)?;
    let found = [name(left), name(right)];
    let is_in_order = found == names.map(Some);
    let is_reversed = found == [Some(names[1]), Some(names[0])];
    if !is_in_order && !is_reversed {
        return Err(expected());
    }
    if operator.reduces() {
        return Ok(operator);
    }
    Err(Diagnostic::error(item.span, "what comes of this depends on the order of iterations")
        .hint("values are combined by `+`, `*`, `min`, `max`, `&&` or `||`"))
}

/// What the two values are called.
fn names(braces: &Braces) -> Option<[&str; 2]> {
    match &braces.binders {
        None => Some(["_", "_"]),
        Some(binders) if !binders.is_list => match &binders.names[..] {
            [left, right] => Some([&left.text, &right.text]),
            _ => None,
        },
        Some(_) => None,
    }
}

fn name(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Name(name) => Some(name),
        _ => None,
    }
}

/// An operator with what it is applied to: `a + b`, `min(a, b)`, `a min b`.
fn operands(term: &Term) -> Result<Option<(Operator, &Term, &Term)>> {
    if let TermKind::Binary(sign, left, right) = &term.kind {
        return Ok(Some((binary(sign)?, left, right)));
    }
    let Some(call) = Call::of(term) else { return Ok(None) };
    let operator = Operator::of_sign(&call.name.text).filter(|operator| operator.is_function());
    let Some(operator) = operator else { return Ok(None) };
    Ok(match (call.receiver, &call.lists[..]) {
        (None, [[left, right]]) => Some((operator, &left.value, &right.value)),
        (Some(left), [list]) => single(list).map(|right| (operator, left, right)),
        _ => None,
    })
}
