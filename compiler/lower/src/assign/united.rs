//! `+=` and `-=` into a sparse tensor: it becomes the sum of its old value and the right-hand side, which
//! unites their patterns.

use super::wider::{added_to, own_labels};
use super::{mask, repeats_label, schedule};
use crate::function::{Lowered, Lowering};
use comet_diag::Span;
use comet_ir::{Ty, Val, format, ta, types};
use comet_sema::program::{Assign, Element};
use melior::ir::ValueLike;

pub(super) fn accumulate(lowering: &mut Lowering<'_, '_>, assign: &Assign, span: Span) -> Lowered<()> {
    let own = lowering.tensor_info(assign.target.tensor).element;
    let wide = own.widest(assign.value.element);
    let value = mask::value(lowering, assign, wide)?;
    if repeats_label(&assign.target) {
        return beside(lowering, assign, value, wide, span);
    }
    let labels = lowering.labels_of(&assign.target.labels);
    add(lowering, assign, value, wide, &labels, span)
}

/// `target = target + value` under labels that are all different.
fn add<'c>(
    lowering: &mut Lowering<'_, 'c>,
    assign: &Assign,
    value: Val<'c>,
    wide: Element,
    labels: &[Val<'c>],
    span: Span,
) -> Lowered<()> {
    let info = lowering.tensor_info(assign.target.tensor);
    let target = lowering.tensor(assign.target.tensor);
    let temporary = lowering.variable_like(target, info)?;
    let (own, wide) = (lowering.element(info.element), lowering.element(wide));
    let cast = |b, value, element| match own == wide {
        true => Ok(value),
        false => Ok(ta::Cast::build(b, value, types::labeled(element))?.result()),
    };
    let sum = lowering.at(span, |b| {
        let old = ta::labeled_tensor(b, target, labels)?;
        let old = cast(b, old, wide)?;
        let sum = added_to(b, assign.op, old, value)?;
        cast(b, sum, own)
    })?;
    schedule::commands(lowering, assign, temporary)?;
    lowering.emit(span, |b| ta::Set::build(b, sum, temporary, labels, 0.0))?;
    lowering.at(span, |b| ta::move_and_release(b, temporary, target))
}

/// A diagonal is computed into a tensor of its own, which is then added under labels of all dimensions.
fn beside<'c>(
    lowering: &mut Lowering<'_, 'c>,
    assign: &Assign,
    value: Val<'c>,
    wide: Element,
    span: Span,
) -> Lowered<()> {
    let info = lowering.tensor_info(assign.target.tensor);
    let ty = with_element(lowering, lowering.tensor(assign.target.tensor).r#type(), wide);
    let values = lowering.variable_of_type(&format!("{}.added", info.name), info, ty)?;
    let labels = lowering.labels_of(&assign.target.labels);
    schedule::commands(lowering, assign, values)?;
    lowering.emit(span, |b| ta::Set::build(b, value, values, &labels, 0.0))?;
    let labels = own_labels(lowering, assign, span)?;
    let added = lowering.at(span, |b| ta::labeled_tensor(b, values, &labels))?;
    let unscheduled = Assign { schedule: None, ..assign.clone() };
    add(lowering, &unscheduled, added, wide, &labels, span)?;
    lowering.emit(span, |b| ta::Release::build(b, values))
}

/// A tensor type with other elements.
fn with_element<'c>(lowering: &Lowering<'_, 'c>, ty: Ty<'c>, element: Element) -> Ty<'c> {
    let dims: Vec<Option<u64>> = (0..types::rank(ty)).map(|mode| types::static_dim(ty, mode)).collect();
    let format =
        format::to_attribute(lowering.b.context(), &format::of_type(ty), format::Memory::Unspecified);
    types::tensor(&dims, lowering.element(element), format)
}
