//! `+=` and `-=` into a sparse tensor: it becomes the sum of its old value and the right-hand side, which
//! unites their patterns.

use super::wider::own_labels;
use super::{mask, repeats_label, schedule};
use crate::function::{Lowered, Lowering};
use crate::scalar;
use comet_diag::Span;
use comet_ir::{Ty, Val, format, types};
use comet_sema::program::{Assign, AssignOp, Element};
use melior::ir::ValueLike;

/// Lowers the assignment.
pub(super) fn accumulate(lowering: &mut Lowering<'_, '_>, assign: &Assign, span: Span) -> Lowered<()> {
    let own = lowering.tensor_info(assign.target.tensor).element;
    let wide = scalar::wider(own, assign.value.element);
    let value = mask::value(lowering, assign, wide)?;
    if repeats_label(&assign.target) {
        return beside(lowering, assign, value, wide, span);
    }
    let labels: Vec<Val<'_>> = assign.target.labels.iter().map(|label| lowering.label(*label)).collect();
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
    let name = if assign.op == AssignOp::Sub { "ta.subtract" } else { "ta.add" };
    let sum = lowering.at(span, |b| {
        let old = b.value("ta.labeled_tensor", &[&[target], labels].concat(), types::labeled(own))?;
        let old = if own == wide { old } else { b.value("ta.cast", &[old], types::labeled(wide))? };
        let sum = b.value(name, &[old, value], types::labeled(wide))?;
        if own == wide { Ok(sum) } else { b.value("ta.cast", &[sum], types::labeled(own)) }
    })?;
    let operands = [&[sum, temporary], labels].concat();
    schedule::commands(lowering, assign, temporary)?;
    lowering.emit(span, "ta.set_op", &operands, &[("beta", lowering.b.f64_attribute(0.0))])?;
    lowering.emit(span, "ta.move", &[temporary, target], &[])?;
    lowering.emit(span, "ta.release", &[temporary], &[])
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
    let labels = assign.target.labels.iter().map(|label| lowering.label(*label));
    let operands: Vec<Val<'c>> = [value, values].into_iter().chain(labels).collect();
    schedule::commands(lowering, assign, values)?;
    lowering.emit(span, "ta.set_op", &operands, &[("beta", lowering.b.f64_attribute(0.0))])?;
    let labels = own_labels(lowering, assign, span)?;
    let wide_type = types::labeled(lowering.element(wide));
    let added =
        lowering.at(span, |b| b.value("ta.labeled_tensor", &[&[values][..], &labels].concat(), wide_type))?;
    let unscheduled = Assign { schedule: None, ..assign.clone() };
    add(lowering, &unscheduled, added, wide, &labels, span)?;
    lowering.emit(span, "ta.release", &[values], &[])
}

/// A tensor type with other elements.
fn with_element<'c>(lowering: &Lowering<'_, 'c>, ty: Ty<'c>, element: Element) -> Ty<'c> {
    let dims: Vec<Option<u64>> = (0..types::rank(ty)).map(|mode| types::static_dim(ty, mode)).collect();
    let format =
        format::to_attribute(lowering.b.context(), &format::of_type(ty), format::Memory::Unspecified);
    types::tensor(&dims, lowering.element(element), format)
}
