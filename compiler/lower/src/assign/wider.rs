//! `+=` and `-=` with values of a wider type than the target's: they meet in the wider type, and only what
//! comes out is converted.

use super::{is_read, mask, repeats_label, schedule};
use crate::function::{Lowered, Lowering};
use crate::size;
use comet_diag::Span;
use comet_ir::{Builder, Result, Ty, Val, ta, types};
use comet_sema::program::{Assign, AssignOp, Element, TensorExpr, TensorExprKind};
use melior::ir::ValueLike;

/// Without commands, the target becomes the sum of its old value and the expression in one statement.
/// Commands are about the loops of the expression alone, whose values then go into a tensor of the wider
/// type, which the target is combined with; so do the values of a diagonal.
pub(super) fn accumulate(lowering: &mut Lowering<'_, '_>, assign: &Assign, span: Span) -> Lowered<()> {
    let own = lowering.tensor_info(assign.target.tensor).element;
    let wide = own.widest(assign.value.element);
    if !schedule::has_commands(assign) && !repeats_label(&assign.target) {
        return at_once(lowering, assign, wide, span);
    }
    let values = values(lowering, assign, wide, span)?;
    combine(lowering, assign, (values, wide), span)?;
    lowering.emit(span, |b| ta::Release::build(b, values))
}

/// `target = target + value`, without a tensor for the values. The sum goes into a tensor like the target,
/// which takes its place, unless each element depends on no other one and nothing can fail.
fn at_once(lowering: &mut Lowering<'_, '_>, assign: &Assign, wide: Element, span: Span) -> Lowered<()> {
    let info = lowering.tensor_info(assign.target.tensor);
    let target = lowering.tensor(assign.target.tensor);
    let value = mask::value(lowering, assign, wide)?;
    let labels = lowering.labels_of(&assign.target.labels);
    let (own, wide) = (lowering.element(info.element), lowering.element(wide));
    let sum = lowering.at(span, |b| sum_of(b, assign.op, (target, &labels), value, [own, wide]))?;
    if !is_read(lowering, assign) && !reduces(&assign.value) && !mask::divides_integers(&assign.value) {
        return lowering.emit(span, |b| ta::Set::build(b, sum, target, &labels, 0.0));
    }
    let temporary = lowering.variable_like(target, info)?;
    lowering.emit(span, |b| ta::Set::build(b, sum, temporary, &labels, 0.0))?;
    lowering.at(span, |b| ta::move_and_release(b, temporary, target))
}

fn reduces(value: &TensorExpr) -> bool {
    value.parts().iter().any(|part| matches!(part.kind, TensorExprKind::Reduce { .. }))
}

/// The sum of a target's old value and others, or their difference, in the type of the values, and then in
/// that of the target.
fn sum_of<'c>(
    b: Builder<'c>,
    op: AssignOp,
    (target, labels): (Val<'c>, &[Val<'c>]),
    added: Val<'c>,
    [own, wide]: [Ty<'c>; 2],
) -> Result<'c, Val<'c>> {
    let old = ta::labeled_tensor(b, target, labels)?;
    let old = ta::Cast::build(b, old, types::labeled(wide))?.result();
    let new = added_to(b, op, old, added)?;
    Ok(ta::Cast::build(b, new, types::labeled(own))?.result())
}

/// A dense tensor with the target's shape that holds the expression's values, and 0 where it has none.
fn values<'c>(
    lowering: &mut Lowering<'_, 'c>,
    assign: &Assign,
    wide: Element,
    span: Span,
) -> Lowered<Val<'c>> {
    let info = lowering.tensor_info(assign.target.tensor);
    let target = lowering.tensor(assign.target.tensor);
    let dims: Vec<Option<u64>> =
        (0..info.dims.len()).map(|mode| types::static_dim(target.r#type(), mode)).collect();
    let ty = types::tensor(&dims, lowering.element(wide), None);
    let values = lowering.variable_of_type(&format!("{}.added", info.name), info, ty)?;
    let value = mask::value(lowering, assign, wide)?;
    let labels = lowering.labels_of(&assign.target.labels);
    schedule::commands(lowering, assign, values)?;
    // The new tensor holds zeros; added to them, a reduction of nothing leaves them.
    lowering.emit(span, |b| ta::Set::build(b, value, values, &labels, 1.0))?;
    Ok(values)
}

/// `target = target + values`, element by element.
fn combine<'c>(
    lowering: &mut Lowering<'_, 'c>,
    assign: &Assign,
    (values, wide): (Val<'c>, Element),
    span: Span,
) -> Lowered<()> {
    let target = lowering.tensor(assign.target.tensor);
    let info = lowering.tensor_info(assign.target.tensor);
    let labels = own_labels(lowering, assign, span)?;
    let (own, wide) = (lowering.element(info.element), lowering.element(wide));
    lowering.emit(span, |b| {
        let added = ta::labeled_tensor(b, values, &labels)?;
        let new = sum_of(b, assign.op, (target, &labels), added, [own, wide])?;
        ta::Set::build(b, new, target, &labels, 0.0)
    })
}

/// The sum of two expressions, or their difference for `-=`.
pub(super) fn added_to<'c>(
    b: Builder<'c>,
    op: AssignOp,
    old: Val<'c>,
    added: Val<'c>,
) -> Result<'c, Val<'c>> {
    match op {
        AssignOp::Sub => Ok(ta::Unite::build(b, "sub", old, added)?.result()),
        _ => Ok(ta::Unite::build(b, "add", old, added)?.result()),
    }
}

/// One label for each mode of the target, whose own may be repeated.
pub(super) fn own_labels<'c>(
    lowering: &Lowering<'_, 'c>,
    assign: &Assign,
    span: Span,
) -> Lowered<Vec<Val<'c>>> {
    let info = lowering.tensor_info(assign.target.tensor);
    let ranges = info.dims.iter().map(|size| lowering.ranges[size]);
    ranges.map(|range| lowering.at(span, |b| size::same_extent(b, "d", range))).collect()
}
