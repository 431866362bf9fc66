//! Notes on what a program does that may not be what was meant.

use crate::program::{
    Access, Assign, Function, Program, Stmt, StmtKind, TensorExpr, TensorExprKind, TensorOp,
};
use comet_diag::{Diagnostic, Span};

/// Returns notes on the statements of a program, in the order of the file.
pub fn notes(program: &Program) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for function in &program.functions {
        for_each_assignment(&function.body, &mut |assign| found.extend(filled(function, assign)));
    }
    found.sort_by_key(Diagnostic::span);
    found
}

fn for_each_assignment(body: &[Stmt], visit: &mut impl FnMut(&Assign)) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Assign(assign) => visit(assign),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => for_each_assignment(body, visit),
            StmtKind::If { then_body, else_body, .. } => {
                for_each_assignment(then_body, visit);
                for_each_assignment(else_body, visit);
            }
            _ => {}
        }
    }
}

/// A note where a number that is added to a sparse operand makes every position of a sparse result an entry.
fn filled(function: &Function, assign: &Assign) -> Option<Diagnostic> {
    let target = &function.tensors[assign.target.tensor.0];
    if target.format.is_dense() || assign.mask.is_some() {
        return None;
    }
    let number = added_number(function, &assign.value)?;
    let message = format!(
        "every position of `{}` becomes an entry, since a number is added to all of them",
        target.name
    );
    let hint = "`A[i,j] @(+) 1` adds to the entries of `A` alone";
    Some(Diagnostic::note(assign.target.span, message).also(number, "this number").hint(hint))
}

/// Where a number is added to a sparse operand, if that decides what an expression stores.
fn added_number(function: &Function, value: &TensorExpr) -> Option<Span> {
    match &value.kind {
        TensorExprKind::Neg(operand) => added_number(function, operand),
        TensorExprKind::Binary { op: TensorOp::Add | TensorOp::Sub, left, right } => {
            let number = match (accesses(left).is_empty(), accesses(right).is_empty()) {
                (true, false) if reads_sparse(function, right) => Some(left.span),
                (false, true) if reads_sparse(function, left) => Some(right.span),
                _ => None,
            };
            number.or_else(|| added_number(function, left)).or_else(|| added_number(function, right))
        }
        _ => None,
    }
}

fn reads_sparse(function: &Function, value: &TensorExpr) -> bool {
    accesses(value).iter().any(|access| !function.tensors[access.tensor.0].format.is_dense())
}

fn accesses(value: &TensorExpr) -> Vec<&Access> {
    match &value.kind {
        TensorExprKind::Access(access) => vec![access],
        TensorExprKind::Number(_) | TensorExprKind::Scalar(_) => Vec::new(),
        TensorExprKind::Neg(operand) | TensorExprKind::Reduce { body: operand, .. } => accesses(operand),
        TensorExprKind::Binary { left, right, .. } => [accesses(left), accesses(right)].concat(),
    }
}
