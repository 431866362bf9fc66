//! Writes computed values into a tensor: `=`, `+=`, `-=`, masks, and what dense outputs hold elsewhere.

use comet_syntax::ast::{AssignOp, Operator};

use crate::error::Result;
use crate::number::{TypedNumber, apply};
use crate::tensor::DenseTensor;

/// What a statement assigns to one position of its target.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum GivenValue {
    /// The statement does not reach it: a mask keeps it out, or the target's labels never stand there.
    Outside,
    /// It is computed, and the pattern of the expression has no such position.
    Nothing,
    Value(TypedNumber),
}

/// Writes one `given` for each position of the target. `identity` is what nothing reduces to.
pub(crate) fn write(
    target: &mut DenseTensor,
    op: AssignOp,
    given: &[GivenValue],
    identity: TypedNumber,
) -> Result<()> {
    let cells = match op {
        AssignOp::Set => given.iter().map(|given| overwritten(*given, target, identity)).collect(),
        AssignOp::Add => updated(target, Operator::Add, given)?,
        AssignOp::Sub => updated(target, Operator::Sub, given)?,
        AssignOp::Mul => scaled(target, Operator::Mul, given)?,
        AssignOp::Div => scaled(target, Operator::Div, given)?,
    };
    target.store(cells)
}

fn overwritten(given: GivenValue, target: &DenseTensor, identity: TypedNumber) -> Option<TypedNumber> {
    match given {
        GivenValue::Outside => None,
        GivenValue::Nothing => target.is_dense().then_some(identity),
        GivenValue::Value(value) => Some(value),
    }
}

/// The old values with the given ones added or subtracted; where nothing is given they stay.
fn updated(target: &DenseTensor, op: Operator, given: &[GivenValue]) -> Result<Vec<Option<TypedNumber>>> {
    let update = |(old, given): (&Option<TypedNumber>, &GivenValue)| match given {
        GivenValue::Outside | GivenValue::Nothing => Ok(*old),
        GivenValue::Value(value) => {
            apply(op, old.unwrap_or(TypedNumber::zero(target.element)), *value).map(Some)
        }
    };
    target.cells().iter().zip(given).map(update).collect()
}

/// The old entries, each multiplied or divided by the given value, which is 0 where nothing is given.
fn scaled(target: &DenseTensor, op: Operator, given: &[GivenValue]) -> Result<Vec<Option<TypedNumber>>> {
    let update = |(old, given): (&Option<TypedNumber>, &GivenValue)| match (old, given) {
        (None, _) => Ok(None),
        (Some(old), GivenValue::Outside) => Ok(Some(*old)),
        (Some(old), GivenValue::Nothing) => apply(op, *old, TypedNumber::zero(target.element)).map(Some),
        (Some(old), GivenValue::Value(value)) => apply(op, *old, *value).map(Some),
    };
    target.cells().iter().zip(given).map(update).collect()
}
