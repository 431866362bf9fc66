//! The operations of the ta dialect.

#[allow(clippy::all, reason = "it is generated")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/ta.rs"));
}

pub use generated::*;

use crate::{Builder, Op, Result, Val, types};

/// Inserts a tensor under labels, an operand of an index expression; returns the expression.
pub fn labeled_tensor<'c>(b: Builder<'c>, tensor: Val<'c>, labels: &[Val<'c>]) -> Result<'c, Val<'c>> {
    let ty = types::labeled(types::element_of(tensor));
    Ok(LabeledTensor::build(b, tensor, labels, ty)?.result())
}

/// Moves the storage of one variable into another of the same type, and ends the life of the first.
pub fn move_and_release<'c>(b: Builder<'c>, source: Val<'c>, target: Val<'c>) -> Result<'c, ()> {
    Move::build(b, source, target)?;
    Release::build(b, source).map(|_| ())
}

/// Returns whether an operation is a part of an index expression.
pub fn is_expression(op: Op<'_>) -> bool {
    matches!(
        Ta::of(op),
        Some(
            Ta::LabeledTensor(_)
                | Ta::Scalar(_)
                | Ta::Cast(_)
                | Ta::Neg(_)
                | Ta::Apply(_)
                | Ta::Unite(_)
                | Ta::Drop(_)
                | Ta::Elementwise(_)
                | Ta::Reduce(_)
                | Ta::Mask(_)
        )
    )
}
