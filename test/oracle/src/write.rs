//! Writes computed values into a tensor: `=`, `+=`, `-=`, masks, and what dense outputs hold elsewhere.

use comet_syntax::ast::{AssignOp, Operator};

use crate::error::Result;
use crate::number::{Number, apply};
use crate::tensor::DenseTensor;

/// What a statement gives for one position of its target.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Given {
    /// The statement does not reach it: a mask keeps it out, or the target's labels never stand there.
    Outside,
    /// It is computed, and the pattern of the expression has no such position.
    Nothing,
    /// Its value.
    Value(Number),
}

/// Writes one `given` for each position of the target. `identity` is what nothing reduces to.
pub(crate) fn write(target: &mut DenseTensor, op: AssignOp, given: &[Given], identity: Number) -> Result<()> {
    let cells = match op {
        AssignOp::Set => given.iter().map(|given| overwritten(*given, target, identity)).collect(),
        AssignOp::Add => updated(target, Operator::Add, given)?,
        AssignOp::Sub => updated(target, Operator::Sub, given)?,
    };
    target.store(cells)
}

fn overwritten(given: Given, target: &DenseTensor, identity: Number) -> Option<Number> {
    match given {
        Given::Outside => None,
        Given::Nothing => target.is_dense().then_some(identity),
        Given::Value(value) => Some(value),
    }
}

/// The old values with the given ones added or subtracted; where nothing is given they stay.
fn updated(target: &DenseTensor, op: Operator, given: &[Given]) -> Result<Vec<Option<Number>>> {
    let update = |(old, given): (&Option<Number>, &Given)| match given {
        Given::Outside | Given::Nothing => Ok(*old),
        Given::Value(value) => apply(op, old.unwrap_or(Number::zero(target.element)), *value).map(Some),
    };
    target.cells().iter().zip(given).map(update).collect()
}
