//! What every later phase relies on in a checked function.

use std::collections::HashSet;

use comet_sema::program::{
    Function, LabelId, PrintItem, ScalarExpr, ScalarExprKind, Stmt, StmtKind, TensorExpr, TensorExprKind,
};

/// Every extent is known or has a source; every label of an expression is on the left or bound.
pub(crate) fn check(function: &Function) {
    for size in &function.sizes {
        assert!(size.known.is_some() || !size.sources.is_empty(), "`{}` is open", size.name);
    }
    for tensor in &function.tensors {
        assert_eq!(tensor.dims.len(), tensor.format.rank);
    }
    function.body.iter().for_each(|stmt| statement(function, stmt));
}

fn statement(function: &Function, stmt: &Stmt) {
    match &stmt.kind {
        StmtKind::Assign(assign) => {
            assert_eq!(assign.target.labels.len(), function.tensors[assign.target.tensor.0].dims.len());
            let kept: HashSet<LabelId> = assign.target.labels.iter().copied().collect();
            assert!(free(&assign.value).is_subset(&kept), "a label is neither kept nor reduced");
        }
        StmtKind::SetScalar { value, .. } | StmtKind::PrintScalar(value) => scalar(value),
        StmtKind::PrintLine(items) => items.iter().filter_map(PrintItem::scalar).for_each(scalar),
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
            body.iter().for_each(|stmt| statement(function, stmt));
        }
        StmtKind::If { then_body, else_body, .. } => {
            then_body.iter().chain(else_body).for_each(|stmt| statement(function, stmt));
        }
        _ => {}
    }
}

fn scalar(value: &ScalarExpr) {
    match &value.kind {
        ScalarExprKind::Reduction(body) | ScalarExprKind::Point(body) => {
            assert!(free(body).is_empty(), "a scalar has a free label");
        }
        ScalarExprKind::Neg(operand) | ScalarExprKind::Convert { value: operand, .. } => scalar(operand),
        ScalarExprKind::Binary { left, right, .. } => {
            scalar(left);
            scalar(right);
        }
        _ => {}
    }
}

/// A label is reduced where it is used, and once.
fn free(expr: &TensorExpr) -> HashSet<LabelId> {
    match &expr.kind {
        TensorExprKind::Access(access) => access.labels.iter().copied().collect(),
        TensorExprKind::Number(_) | TensorExprKind::Scalar(_) => HashSet::new(),
        TensorExprKind::Neg(operand)
        | TensorExprKind::Apply { operand, .. }
        | TensorExprKind::Convert { value: operand, .. }
        | TensorExprKind::Elementwise(operand) => free(operand),
        TensorExprKind::Drop { value: left, condition: right }
        | TensorExprKind::Binary { left, right, .. } => free(left).union(&free(right)).copied().collect(),
        TensorExprKind::Reduce { labels, body, .. } => {
            let mut free = free(body);
            assert!(!labels.is_empty());
            assert!(labels.iter().all(|label| free.remove(label)), "a label that is not used is reduced");
            free
        }
    }
}
