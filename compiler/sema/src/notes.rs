//! Notes on what a program does that may not be what was meant.

use crate::monoid::{SummedMonoid, summed};
use crate::program::{Assign, Function, Program, TensorExpr, TensorExprKind, TensorOp, assignments};
use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::AssignOp;

/// Returns notes on the statements of a program, in the order of the file.
pub fn notes(program: &Program) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for function in &program.functions {
        found.extend(assignments(&function.body).filter_map(|assign| filled(function, assign)));
        found.extend(assignments(&function.body).flat_map(|assign| without_effect(function, assign)));
    }
    found.sort_by_key(Diagnostic::span);
    found
}

/// Notes on monoids without an effect, whose values are added up.
fn without_effect(function: &Function, assign: &Assign) -> Vec<Diagnostic> {
    let monoids = summed(&assign.value).into_iter().filter(SummedMonoid::has_no_effect);
    let note = |monoid: SummedMonoid<'_>| {
        let symbol = monoid.operator.symbol();
        let labels: Vec<&str> =
            monoid.labels.iter().map(|label| function.labels[label.0].name.as_str()).collect();
        let message = format!(
            "`@({symbol})` changes nothing here, and the values are added up over `{}`",
            labels.join("`, `")
        );
        let hint = format!("to reduce by `{symbol}`, combine by `@({symbol},first)` with the number 1");
        Diagnostic::note(monoid.span, message).hint(hint)
    };
    monoids.map(note).collect()
}

/// A note where a number that is added to a sparse operand makes every position of a sparse result an entry.
fn filled(function: &Function, assign: &Assign) -> Option<Diagnostic> {
    let target = &function.tensors[assign.target.tensor.0];
    if target.format.is_dense() || assign.mask.is_some() {
        return None;
    }
    let (number, sparse) = added_number(function, assign)?;
    let message = format!(
        "every position of `{}` becomes an entry, since a number is added to all of them",
        target.name
    );
    let hint = format!("`@(+)` in the place of `+` adds to the entries of `{sparse}` alone");
    Some(Diagnostic::note(assign.target.span, message).also(number, "this number").hint(hint))
}

/// The number that is added to a sparse operand, if that decides what is stored, and the operand's name.
fn added_number<'f>(function: &'f Function, assign: &Assign) -> Option<(Span, &'f str)> {
    if assign.op != AssignOp::Set && assign.value.accesses().is_empty() {
        return Some((assign.value.span, &function.tensors[assign.target.tensor.0].name));
    }
    number_in_sum(function, &assign.value)
}

fn number_in_sum<'f>(function: &'f Function, value: &TensorExpr) -> Option<(Span, &'f str)> {
    match &value.kind {
        TensorExprKind::Neg(operand) | TensorExprKind::Convert { value: operand, .. } => {
            number_in_sum(function, operand)
        }
        TensorExprKind::Binary { op: TensorOp::Add | TensorOp::Sub, left, right, .. } => {
            let number = match (left.accesses().is_empty(), right.accesses().is_empty()) {
                (true, false) => sparse_in(function, right).map(|name| (left.span, name)),
                (false, true) => sparse_in(function, left).map(|name| (right.span, name)),
                _ => None,
            };
            number.or_else(|| number_in_sum(function, left)).or_else(|| number_in_sum(function, right))
        }
        _ => None,
    }
}

/// The first sparse tensor that an expression reads.
fn sparse_in<'f>(function: &'f Function, value: &TensorExpr) -> Option<&'f str> {
    let mut tensors = value.accesses().into_iter().map(|access| &function.tensors[access.tensor.0]);
    tensors.find(|tensor| !tensor.format.is_dense()).map(|tensor| tensor.name.as_str())
}
