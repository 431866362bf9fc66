//! The value of a term at a position of its labels, if it has one there.

use crate::error::Result;
use crate::function;
use crate::number::TypedNumber;
use crate::own::Combiner;
use crate::part;
use crate::term::{BoundTerm, Combination, Patterns, TermKind};

/// The extents of the labels, and where each of them stands.
pub(crate) struct LabelPoint<'a> {
    pub(crate) extents: &'a [usize],
    pub(crate) at: Vec<usize>,
}

/// The value of `term`; none where its pattern has no position.
pub(crate) fn eval(term: &BoundTerm, point: &mut LabelPoint<'_>) -> Result<Option<TypedNumber>> {
    match &term.kind {
        TermKind::Constant(value) | TermKind::Written(value) => Ok(Some(*value)),
        TermKind::Elementwise { nest, is_stored } => function::at_point(nest, *is_stored, point),
        TermKind::Opaque(value) => eval(value, point),
        TermKind::Dropped { value, condition } => {
            let value = eval(value, point)?;
            let is_dropped = value.is_some() && !function::with_zeros(condition, point)?.is_zero();
            Ok(value.filter(|_| !is_dropped))
        }
        TermKind::Access { tensor, indices } => {
            let tensor = tensor.borrow();
            let at = part::coordinates(indices, &tensor.dims, |label| point.at[label]);
            Ok(at.and_then(|at| tensor.cells()[tensor.offset(at.into_iter())]))
        }
        TermKind::Neg(inner) => Ok(eval(inner, point)?.map(TypedNumber::negated)),
        TermKind::Binary { op, left, right } => {
            let left = eval(left, point)?;
            // Most positions of a sparse operand are empty, and nothing meets them.
            if left.is_none() && op.patterns == Patterns::Intersect {
                return Ok(None);
            }
            binary(op, term, left, eval(right, point)?)
        }
        TermKind::Reduce { op, labels, body } => reduce(op, labels, body, point),
    }
}

/// In a union a missing operand counts as 0, in an intersection there is none.
fn binary(
    op: &Combination,
    term: &BoundTerm,
    left: Option<TypedNumber>,
    right: Option<TypedNumber>,
) -> Result<Option<TypedNumber>> {
    let missing = match op.patterns {
        Patterns::Unite if left.is_some() || right.is_some() => Some(TypedNumber::zero(term.element)),
        _ => None,
    };
    let (Some(left), Some(right)) = (left.or(missing), right.or(missing)) else { return Ok(None) };
    op.apply.apply(left.to(term.element), right.to(term.element)).map(|value| Some(value.to(term.element)))
}

fn reduce(
    op: &Combiner,
    labels: &[usize],
    body: &BoundTerm,
    point: &mut LabelPoint<'_>,
) -> Result<Option<TypedNumber>> {
    let mut total = None;
    reduce_onto(&mut total, op, (labels, body), point)?;
    Ok(total)
}

/// The first label is the outermost one.
fn reduce_onto(
    total: &mut Option<TypedNumber>,
    op: &Combiner,
    (labels, body): (&[usize], &BoundTerm),
    point: &mut LabelPoint<'_>,
) -> Result<()> {
    let Some((label, inner)) = labels.split_first() else {
        let Some(value) = eval(body, point)? else { return Ok(()) };
        *total = Some(match *total {
            None if op.is_any() => value,
            before => op.apply(before.unwrap_or(op.identity(body.element)), value)?,
        });
        return Ok(());
    };
    for at in 0..point.extents[*label] {
        point.at[*label] = at;
        reduce_onto(total, op, (inner, body), point)?;
    }
    Ok(())
}
