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

/// The expression with a reduction for every label that is not among `kept`.
pub(crate) fn bind(root: &TensorExpr, kept: &[LabelId]) -> TensorExpr {
    over_terms(root, &mut |term| {
        let labels = term.accesses().into_iter().flat_map(|access| access.labels.iter().copied());
        let bound = labels.unique().filter(|label| !kept.contains(label));
        let pending: Vec<Pending> = bound.map(|label| pending(term, label)).collect();
        bind_term(term, &pending)
    })
}

/// The expression reduced by one operator over all of its labels, those of sums as well.
pub(crate) fn whole(body: &TensorExpr, op: Operator) -> TensorExpr {
    let labels = body.accesses().into_iter().flat_map(|access| access.labels.iter().copied());
    let pending = |label| Pending { label, uses: count(body, label), op, depth: 0 };
    let group: Vec<Pending> = labels.unique().map(pending).collect();
    reduce(body.clone(), &group)
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

fn pending(term: &TensorExpr, label: LabelId) -> Pending {
    let uses = count(term, label);
    let mut pending = Pending { label, uses, op: Operator::Add, depth: 0 };
    let mut next = Some((term, 1));
    while let Some((node, depth)) = next {
        if let TensorExprKind::Binary { reduce: Some(op), .. } = node.kind {
            (pending.op, pending.depth) = (op, depth);
        }
        let inner = node.operands().into_iter().find(|child| count(child, label) == uses);
        next = inner.map(|child| (child, depth + 1));
    }
    pending
}

/// `pending` may hold labels that this term does not hold all uses of: they are reduced further out.
fn bind_term(term: &TensorExpr, pending: &[Pending]) -> TensorExpr {
    let inner = inner_terms(term);
    let (mut here, mut deeper) = (Vec::new(), Vec::new());
    for &label in pending.iter().filter(|label| holds(term, label)) {
        let is_deeper = inner.iter().any(|term| holds(term, &label));
        if is_deeper { deeper.push(label) } else { here.push(label) }
    }
    let body = structure(term, &deeper);
    here.sort_by_key(|label| std::cmp::Reverse(label.depth));
    let is_one = |one: &Pending, next: &Pending| {
        one.op == next.op && (!one.op.keeps_order() || one.depth == next.depth)
    };
    here.chunk_by(is_one).fold(body, reduce)
}

fn reduce(body: TensorExpr, group: &[Pending]) -> TensorExpr {
    let Some(first) = group.first() else { return body };
    let mut labels: Vec<LabelId> = group.iter().map(|pending| pending.label).collect();
    if first.op.keeps_order() {
        labels.sort_by_key(|label| first_use(&body, *label));
    }
    let span = body.span;
    // An operator of the file reduces values of its type.
    let element = match first.op {
        Operator::Own(own) => own.definition().element,
        _ => body.element,
    };
    let kind = TensorExprKind::Reduce { op: first.op, labels, body: Box::new(body) };
    TensorExpr { kind, element, span, is_grouped: false }
}

/// The node itself without a reduction around it; sums below it reduce in their terms.
fn structure(node: &TensorExpr, pending: &[Pending]) -> TensorExpr {
    if is_sum(node) {
        return over_terms(node, &mut |term| bind_term(term, pending));
    }
    if is_elementwise(node) {
        return node.clone();
    }
    let mut own = node.clone();
    for operand in own.operands_mut() {
        *operand = structure(operand, pending);
    }
    own
}

/// Rebuilds a sum with `bind` applied to each of its terms; what is no sum is one term.
fn over_terms(sum: &TensorExpr, bind: &mut impl FnMut(&TensorExpr) -> TensorExpr) -> TensorExpr {
    if !is_sum(sum) {
        return bind(sum);
    }
    let mut own = sum.clone();
    if let [left, right] = &mut own.operands_mut()[..] {
        **left = if continues(left) { over_terms(left, bind) } else { bind(left) };
        **right = bind(right);
    }
    own
}

/// The terms of the outermost sums inside a term.
fn inner_terms(node: &TensorExpr) -> Vec<&TensorExpr> {
    if is_sum(node) {
        return terms(node);
    }
    if is_elementwise(node) {
        return Vec::new();
    }
    node.operands().into_iter().flat_map(inner_terms).collect()
}

fn terms(sum: &TensorExpr) -> Vec<&TensorExpr> {
    let TensorExprKind::Binary { left, right, .. } = &sum.kind else { return vec![sum] };
    let mut terms = if continues(left) { terms(left) } else { vec![left.as_ref()] };
    terms.push(right);
    terms
}

/// Whether the left operand of a sum is the same sum: `a + b` in `a + b + c`, but not in `(a + b) + c`.
fn continues(left: &TensorExpr) -> bool {
    is_sum(left) && !left.is_grouped
}

fn is_sum(node: &TensorExpr) -> bool {
    matches!(node.kind, TensorExprKind::Binary { op: TensorOp::Add | TensorOp::Sub, .. })
}

/// Functions are of elements, so that nothing is reduced inside of them.
fn is_elementwise(node: &TensorExpr) -> bool {
    matches!(node.kind, TensorExprKind::Elementwise(_))
}

fn holds(term: &TensorExpr, pending: &Pending) -> bool {
    count(term, pending.label) == pending.uses
}

/// Where the text uses a label first.
fn first_use(node: &TensorExpr, label: LabelId) -> Option<usize> {
    let uses = node.accesses().into_iter().filter(|access| access.labels.contains(&label));
    uses.map(|access| access.span.start).min()
}

/// How many accesses in `node` have the label. Copies of an access, by which a nest of functions states where
/// it is present, count as that one.
fn count(node: &TensorExpr, label: LabelId) -> usize {
    let uses = node.accesses().into_iter().filter(|access| access.labels.contains(&label));
    uses.unique_by(|access| (access.tensor, access.span, &access.labels)).count()
}
