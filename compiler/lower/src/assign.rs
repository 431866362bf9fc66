//! Tensor assignments: `ta.convert` for copies into sparse formats, `ta.tc` for pure contractions,
//! `ta.set_op` for the rest.

mod contraction;
mod mask;
mod schedule;
mod united;
mod wider;

use crate::function::{Lowered, Lowering};
use comet_diag::Span;
use comet_ir::{Val, ta};
use comet_sema::program::{Access, Assign, AssignOp, Element, Number, TensorExprKind, TensorId};

pub(crate) fn lower(lowering: &mut Lowering<'_, '_>, assign: &Assign, span: Span) -> Lowered<()> {
    schedule::refuse_unsupported(assign)?;
    if let Some(permutation) = copy_permutation(lowering, assign) {
        return convert(lowering, assign, &permutation, span);
    }
    let is_sparse = !lowering.tensor_info(assign.target.tensor).format.is_dense();
    if is_sparse && assign.op != AssignOp::Set {
        return united::accumulate(lowering, assign, span);
    }
    if assign.op != AssignOp::Set && meets_in_wider_type(lowering, assign) {
        return wider::accumulate(lowering, assign, span);
    }
    if is_read(lowering, assign) {
        return through_temporary(lowering, assign, span);
    }
    if !is_sparse && assign.op == AssignOp::Set && repeats_label(&assign.target) {
        // `=` overwrites everything, and the loops only reach the diagonal.
        lowering.fill(span, assign.target.tensor, Number::Int(0))?;
    }
    let target = lowering.tensor(assign.target.tensor);
    if !is_sparse && mask::leaves_identities(assign) {
        return mask::apply_to_copy(lowering, assign, target, span);
    }
    if assign.mask.is_none() && !schedule::has_commands(assign) && contraction::lower(lowering, assign, span)?
    {
        return Ok(());
    }
    set(lowering, assign, target, span)
}

/// Whether what is added is of a type that the target's values are converted to first. Integers that wrap
/// add up to the same in their own type as in `int`.
fn meets_in_wider_type(lowering: &Lowering<'_, '_>, assign: &Assign) -> bool {
    let own = lowering.tensor_info(assign.target.tensor).element;
    let wide = own.widest(assign.value.element);
    wide != own && !(wide == Element::I64 && own.wraps())
}

/// `value` into `target`, which is the assignment's target or a temporary like it.
fn set<'c>(lowering: &mut Lowering<'_, 'c>, assign: &Assign, target: Val<'c>, span: Span) -> Lowered<()> {
    let element = lowering.tensor_info(assign.target.tensor).element;
    let value = mask::value(lowering, assign, element)?;
    set_value(lowering, assign, value, target, span)
}

/// What the right-hand side was lowered to into `target`.
fn set_value<'c>(
    lowering: &mut Lowering<'_, 'c>,
    assign: &Assign,
    mut value: Val<'c>,
    target: Val<'c>,
    span: Span,
) -> Lowered<()> {
    if assign.op == AssignOp::Sub {
        value = lowering.at(assign.value.span, |b| Ok(ta::Neg::build(b, value)?.result()))?;
    }
    let labels = lowering.labels_of(&assign.target.labels);
    let beta = if assign.op == AssignOp::Set { 0.0 } else { 1.0 };
    schedule::commands(lowering, assign, target)?;
    lowering.emit(span, |b| ta::Set::build(b, value, target, &labels, beta))
}

/// The right-hand side reads the old value of the left-hand side in full before anything is written, so it
/// is computed into a temporary first.
fn through_temporary(lowering: &mut Lowering<'_, '_>, assign: &Assign, span: Span) -> Lowered<()> {
    let info = lowering.tensor_info(assign.target.tensor);
    let target = lowering.tensor(assign.target.tensor);
    let temporary = lowering.variable_like(target, info)?;
    if assign.op != AssignOp::Set {
        // The temporary starts as the old value, and is then accumulated into like the target itself.
        let identity: Vec<usize> = (0..info.dims.len()).collect();
        convert_into(lowering, target, temporary, &identity, span)?;
    }
    if mask::leaves_identities(assign) && lowering.tensor_info(assign.target.tensor).format.is_dense() {
        mask::apply_to_copy(lowering, assign, temporary, span)?;
    } else {
        set(lowering, assign, temporary, span)?;
    }
    lowering.at(span, |b| ta::move_and_release(b, temporary, target))
}

/// Whether the right-hand side or the mask reads the target.
fn is_read(lowering: &Lowering<'_, '_>, assign: &Assign) -> bool {
    let target = lowering.tensor(assign.target.tensor);
    let is_mask = assign.mask.as_ref().is_some_and(|mask| lowering.tensor(mask.tensor) == target);
    // Two parameters may stand for the same variable.
    is_mask || assign.value.accesses().iter().any(|access| lowering.tensor(access.tensor) == target)
}

fn repeats_label(access: &Access) -> bool {
    access.labels.iter().enumerate().any(|(mode, label)| access.labels[..mode].contains(label))
}

/// Where the assignment copies one tensor into another, at least one of them sparse: mode m of the target
/// is mode `permutation[m]` of the source.
fn copy_permutation(lowering: &Lowering<'_, '_>, assign: &Assign) -> Option<Vec<usize>> {
    let TensorExprKind::Access(source) = &assign.value.kind else { return None };
    let dense = |id: TensorId| lowering.tensor_info(id).format.is_dense();
    let is_plain = assign.op == AssignOp::Set && assign.mask.is_none() && !schedule::has_commands(assign);
    if !is_plain || dense(assign.target.tensor) {
        return None;
    }
    permutation(&assign.target, source)
}

fn permutation(target: &Access, source: &Access) -> Option<Vec<usize>> {
    if target.labels.len() != source.labels.len() || target.tensor == source.tensor {
        return None;
    }
    let modes: Option<Vec<usize>> =
        target.labels.iter().map(|label| source.labels.iter().position(|other| other == label)).collect();
    let modes = modes?;
    let mut sorted = modes.clone();
    sorted.sort_unstable();
    sorted.iter().copied().eq(0..modes.len()).then_some(modes)
}

fn convert(lowering: &Lowering<'_, '_>, assign: &Assign, permutation: &[usize], span: Span) -> Lowered<()> {
    let TensorExprKind::Access(source) = &assign.value.kind else {
        unreachable!("copies are plain accesses")
    };
    let (source, target) = (lowering.tensor(source.tensor), lowering.tensor(assign.target.tensor));
    let names: Vec<String> =
        assign.target.labels.iter().map(|label| lowering.label_name(*label).to_owned()).collect();
    lowering.emit(span, |b| {
        Ok(ta::Convert::build(b, source, target, &modes(permutation))?.set_labels(Some(&names)))
    })
}

fn convert_into<'c>(
    lowering: &Lowering<'_, 'c>,
    source: Val<'c>,
    target: Val<'c>,
    permutation: &[usize],
    span: Span,
) -> Lowered<()> {
    lowering.emit(span, |b| ta::Convert::build(b, source, target, &modes(permutation)))
}

fn modes(permutation: &[usize]) -> Vec<i64> {
    permutation.iter().map(|mode| *mode as i64).collect()
}
