//! `+=` and `-=` with values of a wider type than the target's: they meet in the wider type, and only what
//! comes out is converted.

use super::{mask, schedule};
use crate::function::{Lowered, Lowering};
use crate::size;
use comet_diag::Span;
use comet_ir::{Builder, Result, Val, ta, types};
use comet_sema::program::{Assign, AssignOp, Element};
use melior::ir::ValueLike;

/// The expression's values go into a tensor of the wider type, which the target is then combined with.
pub(super) fn accumulate(lowering: &mut Lowering<'_, '_>, assign: &Assign, span: Span) -> Lowered<()> {
    let own = lowering.tensor_info(assign.target.tensor).element;
    let wide = own.widest(assign.value.element);
    let values = values(lowering, assign, wide, span)?;
    combine(lowering, assign, (values, wide), span)?;
    lowering.emit(span, |b| ta::Release::build(b, values))
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
        let old = ta::labeled_tensor(b, target, &labels)?;
        let old = ta::Cast::build(b, old, types::labeled(wide))?.result();
        let added = ta::labeled_tensor(b, values, &labels)?;
        let new = added_to(b, assign.op, old, added)?;
        let new = ta::Cast::build(b, new, types::labeled(own))?.result();
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
