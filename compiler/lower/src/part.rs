//! Parts of tensors: copies to tensors of their own, and back.

use crate::function::{Lowered, Lowering};
use comet_diag::Span;
use comet_ir::{Builder, Result, Val, ta, types};
use comet_sema::program::{Coordinate, PartMode, TensorPart};

/// Copies the part of a tensor to its own one.
pub(crate) fn take(lowering: &Lowering<'_, '_>, part: &TensorPart, span: Span) -> Lowered<()> {
    let (whole, own) = (lowering.tensor(part.whole), lowering.tensor(part.part));
    lowering.emit(span, |b| {
        let (from, steps, shifted) = modes(lowering, b, part)?;
        ta::TakePart::build(b, whole, own, &from, &steps, &shifted)
    })
}

/// Puts the part back.
pub(crate) fn put(lowering: &Lowering<'_, '_>, part: &TensorPart, span: Span) -> Lowered<()> {
    let (whole, own) = (lowering.tensor(part.whole), lowering.tensor(part.part));
    lowering.emit(span, |b| {
        let (from, steps, shifted) = modes(lowering, b, part)?;
        ta::PutPart::build(b, whole, own, &from, &steps, &shifted)
    })
}

/// For each mode its first coordinate and its step; and the modes that are shifted.
type Modes<'c> = (Vec<Val<'c>>, Vec<i64>, Vec<i64>);

fn modes<'c>(lowering: &Lowering<'_, 'c>, b: Builder<'c>, part: &TensorPart) -> Result<'c, Modes<'c>> {
    let (mut from, mut steps, mut shifted) = (Vec::new(), Vec::new(), Vec::new());
    for (mode, kind) in part.modes.iter().enumerate() {
        let (first, step) = match *kind {
            PartMode::At(Coordinate::Number(at)) => (b.index(at as i64)?, 0),
            PartMode::At(Coordinate::Scalar(at)) => {
                (b.index_cast(lowering.scalars[&at], types::index(b.context()))?, 0)
            }
            PartMode::Window { from, step } => (b.index(from as i64)?, step as i64),
            PartMode::Shift { by } => {
                shifted.push(mode as i64);
                (b.index(by)?, 1)
            }
        };
        from.push(first);
        steps.push(step);
    }
    Ok((from, steps, shifted))
}
