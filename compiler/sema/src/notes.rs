//! Notes on what a program does that may not be what was meant.

use crate::program::{Assign, Function, Program, TensorExpr, TensorExprKind, TensorOp, assignments};
use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::AssignOp;

/// Returns notes on the statements of a program, in the order of the file.
pub fn notes(program: &Program) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for function in &program.functions {
        found.extend(assignments(&function.body).filter_map(|assign| filled(function, assign)));
    }
    found.sort_by_key(Diagnostic::span);
    found
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
