//! Masks: which points of the right-hand side are assigned.

use crate::expr;
use crate::function::{Lowered, Lowering};
use comet_diag::Span;
use comet_ir::{Val, ta};
use comet_sema::program::{
    Assign, AssignOp, Element, Mask, MaskMethod, Operator, TensorExpr, TensorExprKind, TensorOp,
};

/// The right-hand side of an assignment as values of that type, at the points that the mask leaves.
pub(super) fn value<'c>(
    lowering: &mut Lowering<'_, 'c>,
    assign: &Assign,
    element: Element,
) -> Lowered<Val<'c>> {
    let value = expr::lower(lowering, &assign.value, element)?;
    match &assign.mask {
        Some(mask) => apply(lowering, assign, mask, value),
        None => Ok(value),
    }
}

/// The right-hand side, where it is a reduction with nothing computed for it where the mask is not; what it
/// is there does not matter.
fn inside_of_reduction<'c>(
    lowering: &mut Lowering<'_, 'c>,
    assign: &Assign,
    mask: &Mask,
    element: Element,
) -> Lowered<Val<'c>> {
    let TensorExprKind::Reduce { op, labels, body } = &assign.value.kind else {
        return expr::lower(lowering, &assign.value, element);
    };
    let body = expr::lower(lowering, body, assign.value.element)?;
    let left = apply(lowering, assign, mask, body)?;
    let value = expr::reduce(lowering, &assign.value, *op, labels, left)?;
    expr::cast(lowering, &assign.value, value, element)
}

fn apply<'c>(lowering: &Lowering<'_, 'c>, assign: &Assign, mask: &Mask, value: Val<'c>) -> Lowered<Val<'c>> {
    let stored = at_target(lowering, assign, lowering.tensor(mask.tensor), mask.span)?;
    let is_pulled = !mask.complement && mask.method == MaskMethod::Pull && !divides_integers(&assign.value);
    lowering.at(mask.span, |b| {
        let masked = ta::Mask::build(b, value, stored)?;
        Ok(masked.set_complement(mask.complement).set_pull(is_pulled).result())
    })
}

/// Whether an expression divides integers. A mask must then be inside of reductions, to divide no integer by
/// 0 where nothing is asked for.
pub(super) fn divides_integers(expr: &TensorExpr) -> bool {
    expr.parts().iter().any(|part| match &part.kind {
        TensorExprKind::Binary { op: TensorOp::Combine(Operator::Own(own)), .. } => {
            own.definition().divides_integers()
        }
        TensorExprKind::Binary { op: TensorOp::Div | TensorOp::Combine(Operator::Div), .. } => {
            part.element == Element::I64
        }
        _ => false,
    })
}

/// A tensor under the labels of the target.
fn at_target<'c>(
    lowering: &Lowering<'_, 'c>,
    assign: &Assign,
    tensor: Val<'c>,
    span: Span,
) -> Lowered<Val<'c>> {
    let labels = lowering.labels_of(&assign.target.labels);
    lowering.at(span, |b| ta::labeled_tensor(b, tensor, &labels))
}

/// Whether a dense target holds, where the mask is stored and nothing is reached, something else than the 0
/// that it holds where the mask is not.
pub(super) fn leaves_identities(assign: &Assign) -> bool {
    assign.mask.is_some() && assign.op == AssignOp::Set && has_identity(&assign.value)
}

fn has_identity(expr: &TensorExpr) -> bool {
    let has =
        |kind: &TensorExprKind| matches!(kind, TensorExprKind::Reduce { op, .. } if *op != Operator::Add);
    expr.parts().iter().any(|part| has(&part.kind))
}

/// Computes the right-hand side into a tensor of its own, with the mask inside of the reduction around it,
/// and then copies what the mask leaves to `target`.
pub(super) fn apply_to_copy<'c>(
    lowering: &mut Lowering<'_, 'c>,
    assign: &Assign,
    target: Val<'c>,
    span: Span,
) -> Lowered<()> {
    let info = lowering.tensor_info(assign.target.tensor);
    let whole = lowering.variable_like(lowering.tensor(assign.target.tensor), info)?;
    let mask = assign.mask.as_ref().expect("only masked assignments come here");
    let value = inside_of_reduction(lowering, assign, mask, info.element)?;
    super::set_value(lowering, &Assign { mask: None, ..assign.clone() }, value, whole, span)?;
    let copied = at_target(lowering, assign, whole, span)?;
    let value = apply(lowering, assign, mask, copied)?;
    let labels = lowering.labels_of(&assign.target.labels);
    lowering.emit(span, |b| ta::Set::build(b, value, target, &labels, 0.0))?;
    lowering.emit(span, |b| ta::Release::build(b, whole))
}
