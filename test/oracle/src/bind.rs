//! Binds the labels that the left-hand side lacks: LANGUAGE.md, "Meaning of an expression".
//!
//! Within each top-level additive term, such a label is reduced around the whole of the smallest additive
//! term, at any depth of parentheses, that holds all its uses. The operator is that of the innermost semiring
//! around all of them, else `+`; labels of inner semirings are reduced first.

use comet_syntax::ast::Operator;

use crate::own::Combiner;
use crate::term::{BoundTerm, TermKind};

/// A label to be reduced, with its operator and how deep in the term that stands; 0 where no semiring decides
/// it.
#[derive(Clone)]
struct BoundLabel {
    label: usize,
    op: Combiner,
    depth: usize,
}

/// `term` with a reduction for every label of `labels` that it uses.
pub(crate) fn bind(term: BoundTerm, labels: &[usize]) -> BoundTerm {
    over_chain(term, &mut |top| {
        // In the order in which the text uses them.
        let used = top.labels().into_iter().filter(|label| labels.contains(label));
        let bounds = used.map(|label| innermost_semiring(&top, label)).collect::<Vec<_>>();
        bind_additive_term(top, &bounds)
    })
}

/// Replaces every operand of a chain of `+` and `-`.
fn over_chain(term: BoundTerm, replace: &mut dyn FnMut(BoundTerm) -> BoundTerm) -> BoundTerm {
    if !term.is_sum() {
        return replace(term);
    }
    let TermKind::Binary { op, left, right } = term.kind else { unreachable!("a sum is binary") };
    let left = if left.continues_sum() { over_chain(*left, replace) } else { replace(*left) };
    BoundTerm::binary(op, left, replace(*right))
}

fn innermost_semiring(top: &BoundTerm, label: usize) -> BoundLabel {
    let all = top.uses(label);
    let mut bound = BoundLabel { label, op: Combiner::Built(Operator::Add), depth: 0 };
    let mut next = Some((top, 1));
    while let Some((term, depth)) = next {
        if let TermKind::Binary { op, .. } = &term.kind
            && let Some(reduce) = &op.reduce
        {
            bound = BoundLabel { label, op: reduce.clone(), depth };
        }
        let inner = parts(term).into_iter().find(|operand| operand.uses(label) == all);
        next = inner.map(|inner| (inner, depth + 1));
    }
    bound
}

/// The operands, also those of functions.
fn parts(term: &BoundTerm) -> Vec<&BoundTerm> {
    match &term.kind {
        TermKind::Elementwise { nest, .. } => nest.operands(),
        TermKind::Opaque(value) => vec![value],
        TermKind::Dropped { value, condition } => [vec![value.as_ref()], condition.operands()].concat(),
        _ => operands(term),
    }
}

fn operands(term: &BoundTerm) -> Vec<&BoundTerm> {
    match &term.kind {
        // Functions are of elements: nothing is reduced inside of them.
        TermKind::Constant(_)
        | TermKind::Written(_)
        | TermKind::Access { .. }
        | TermKind::Elementwise { .. }
        | TermKind::Opaque(_)
        | TermKind::Dropped { .. } => Vec::new(),
        TermKind::Neg(inner) | TermKind::Reduce { body: inner, .. } => vec![inner],
        TermKind::Binary { left, right, .. } => vec![left, right],
    }
}

/// Binds labels all of whose uses are in this additive term.
fn bind_additive_term(term: BoundTerm, bounds: &[BoundLabel]) -> BoundTerm {
    let mut deeper = Vec::new();
    let mut here = Vec::new();
    for bound in bounds.iter().cloned() {
        let all = term.uses(bound.label);
        if has_smaller(&term, bound.label, all) { deeper.push(bound) } else { here.push(bound) }
    }
    here.sort_by_key(|bound| std::cmp::Reverse(bound.depth));
    let body = bind_inside(term, &deeper);
    let is_one =
        |one: &BoundLabel, next: &BoundLabel| one.op.is_same_own(&next.op) && one.depth == next.depth;
    here.chunk_by(is_one).fold(body, |body, group| {
        let labels = group.iter().map(|bound| bound.label).collect();
        BoundTerm::reduce(group[0].op.clone(), labels, body)
    })
}

/// Whether an additive term inside `term`, other than itself, holds all the uses of a label.
fn has_smaller(term: &BoundTerm, label: usize, all: usize) -> bool {
    match term.is_sum() {
        true => chain(term).into_iter().any(|operand| operand.uses(label) == all),
        false => operands(term).into_iter().any(|operand| has_smaller(operand, label, all)),
    }
}

/// The operands of a chain, in order.
fn chain(term: &BoundTerm) -> Vec<&BoundTerm> {
    match &term.kind {
        TermKind::Binary { left, right, .. } if term.is_sum() => {
            let lefts = if left.continues_sum() { chain(left) } else { vec![left.as_ref()] };
            [lefts, vec![right]].concat()
        }
        _ => vec![term],
    }
}

/// Carries labels down to the sums below, to the operands that hold all their uses.
fn bind_inside(term: BoundTerm, bounds: &[BoundLabel]) -> BoundTerm {
    if bounds.is_empty() {
        return term;
    }
    if term.is_sum() {
        return over_chain(term, &mut |operand| {
            let used =
                bounds.iter().filter(|bound| operand.uses(bound.label) > 0).cloned().collect::<Vec<_>>();
            bind_additive_term(operand, &used)
        });
    }
    match term.kind {
        TermKind::Neg(inner) => BoundTerm::neg(bind_inside(*inner, bounds)),
        TermKind::Binary { op, left, right } => {
            BoundTerm::binary(op, bind_inside(*left, bounds), bind_inside(*right, bounds))
        }
        kind => BoundTerm { kind, element: term.element, grouped: term.grouped },
    }
}
