//! Makes reductions explicit: LANGUAGE.md, "Meaning of an expression".
//!
//! Before: `b[i] - A[i,j] * x[j]` with `i` on the left. After: `b[i] - Σⱼ(A[i,j] * x[j])`.
//!
//! A term is an operand of `+` or `-`. Within each top-level term, a label that is not kept is reduced around
//! the smallest term that holds all its uses. Sums written without parentheses are one sum: no inner term of
//! `(b[j] + c[j] + e[i]) * f[i]` holds both uses of `j`, so it is reduced around the product. The operator is
//! that of the innermost semiring that holds all the uses. Where labels with different operators are reduced
//! around one term, the innermost semiring's reduction is the inner one.

use itertools::Itertools as _;

use crate::program::{LabelId, Operator, TensorExpr, TensorExprKind, TensorOp};
use crate::tensor_expr::{ImplicitTerm, TermKind};

/// The expression with a reduction for every label that is not among `kept`.
pub(crate) fn bind(root: &ImplicitTerm, kept: &[LabelId]) -> TensorExpr {
    over_terms(root, &mut |term| {
        let bound = labels(term).into_iter().unique().filter(|label| !kept.contains(label));
        let pending: Vec<Pending> = bound.map(|label| pending(term, label)).collect();
        bind_term(term, &pending)
    })
}

/// A label to reduce within a top-level term.
#[derive(Clone, Copy)]
struct Pending {
    label: LabelId,
    /// How often the top-level term uses it.
    uses: usize,
    op: Operator,
    /// How deep the semiring of `op` is; 0 where none does.
    depth: usize,
}

fn pending(term: &ImplicitTerm, label: LabelId) -> Pending {
    let uses = count(term, label);
    let mut pending = Pending { label, uses, op: Operator::Add, depth: 0 };
    let mut next = Some((term, 1));
    while let Some((node, depth)) = next {
        if let TermKind::Binary { reduce: Some(op), .. } = node.kind {
            (pending.op, pending.depth) = (op, depth);
        }
        let inner = children(node).into_iter().find(|child| count(child, label) == uses);
        next = inner.map(|child| (child, depth + 1));
    }
    pending
}

/// `pending` may hold labels that this term does not hold all uses of: they are reduced further out.
fn bind_term(term: &ImplicitTerm, pending: &[Pending]) -> TensorExpr {
    let inner = inner_terms(term);
    let (mut here, mut deeper) = (Vec::new(), Vec::new());
    for &label in pending.iter().filter(|label| holds(term, label)) {
        let is_deeper = inner.iter().any(|term| holds(term, &label));
        if is_deeper { deeper.push(label) } else { here.push(label) }
    }
    let body = structure(term, &deeper);
    here.sort_by_key(|label| std::cmp::Reverse(label.depth));
    here.chunk_by(|one, next| one.op == next.op).fold(body, reduce)
}

fn reduce(body: TensorExpr, group: &[Pending]) -> TensorExpr {
    let Some(first) = group.first() else { return body };
    let labels = group.iter().map(|pending| pending.label).collect();
    let (element, span) = (body.element, body.span);
    let kind = TensorExprKind::Reduce { op: first.op, labels, body: Box::new(body) };
    TensorExpr { kind, element, span }
}

/// The node itself without a reduction around it; sums below it reduce in their terms.
fn structure(node: &ImplicitTerm, pending: &[Pending]) -> TensorExpr {
    if is_sum(node) {
        return over_terms(node, &mut |term| bind_term(term, pending));
    }
    let kind = match &node.kind {
        TermKind::Access(access) => TensorExprKind::Access(access.clone()),
        TermKind::Number(number) => TensorExprKind::Number(*number),
        TermKind::Scalar(scalar) => TensorExprKind::Scalar(*scalar),
        TermKind::Neg(operand) => TensorExprKind::Neg(Box::new(structure(operand, pending))),
        TermKind::Binary { op, left, right, .. } => {
            binary(*op, structure(left, pending), structure(right, pending))
        }
    };
    TensorExpr { kind, element: node.element, span: node.span }
}

fn binary(op: TensorOp, left: TensorExpr, right: TensorExpr) -> TensorExprKind {
    TensorExprKind::Binary { op, left: Box::new(left), right: Box::new(right) }
}

/// Rebuilds a sum with `bind` applied to each of its terms; what is no sum is one term.
fn over_terms(sum: &ImplicitTerm, bind: &mut impl FnMut(&ImplicitTerm) -> TensorExpr) -> TensorExpr {
    let TermKind::Binary { op: op @ (TensorOp::Add | TensorOp::Sub), left, right, .. } = &sum.kind else {
        return bind(sum);
    };
    let left = if continues(left) { over_terms(left, bind) } else { bind(left) };
    let kind = binary(*op, left, bind(right));
    TensorExpr { kind, element: sum.element, span: sum.span }
}

/// The terms of the outermost sums inside a term.
fn inner_terms(node: &ImplicitTerm) -> Vec<&ImplicitTerm> {
    if is_sum(node) {
        return terms(node);
    }
    children(node).into_iter().flat_map(inner_terms).collect()
}

fn terms(sum: &ImplicitTerm) -> Vec<&ImplicitTerm> {
    let TermKind::Binary { left, right, .. } = &sum.kind else { return vec![sum] };
    let mut terms = if continues(left) { terms(left) } else { vec![left.as_ref()] };
    terms.push(right);
    terms
}

/// Whether the left operand of a sum is the same sum: `a + b` in `a + b + c`, but not in `(a + b) + c`.
fn continues(left: &ImplicitTerm) -> bool {
    is_sum(left) && !left.grouped
}

fn is_sum(node: &ImplicitTerm) -> bool {
    matches!(node.kind, TermKind::Binary { op: TensorOp::Add | TensorOp::Sub, .. })
}

fn children(node: &ImplicitTerm) -> Vec<&ImplicitTerm> {
    match &node.kind {
        TermKind::Neg(operand) => vec![operand],
        TermKind::Binary { left, right, .. } => vec![left, right],
        TermKind::Access(_) | TermKind::Number(_) | TermKind::Scalar(_) => Vec::new(),
    }
}

fn holds(term: &ImplicitTerm, pending: &Pending) -> bool {
    count(term, pending.label) == pending.uses
}

/// How many accesses in `node` have the label.
fn count(node: &ImplicitTerm, label: LabelId) -> usize {
    match &node.kind {
        TermKind::Access(access) => usize::from(access.labels.contains(&label)),
        _ => children(node).into_iter().map(|child| count(child, label)).sum(),
    }
}

/// The labels of the accesses in a term, each as often as it is used.
fn labels(node: &ImplicitTerm) -> Vec<LabelId> {
    match &node.kind {
        TermKind::Access(access) => access.labels.clone(),
        _ => children(node).into_iter().flat_map(labels).collect(),
    }
}
