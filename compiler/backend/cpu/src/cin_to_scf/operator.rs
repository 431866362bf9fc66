//! The operators of expressions and reductions on values, scalars or vectors.

use comet_ir::{Builder, Compare, Op, Result, Ty, Val, types};
use comet_passes::operator::{Operator, Reduction};
use melior::ir::ValueLike;

/// What a reduction of nothing is: 0 for sums and `any`, the largest value for `min`.
pub(super) fn identity<'c>(b: Builder<'c>, reduction: Reduction, ty: Ty<'c>) -> Result<'c, Val<'c>> {
    let (value, exact) = reduction.identity();
    splat(b, value, exact, ty)
}

/// A number in every lane.
fn splat<'c>(b: Builder<'c>, value: f64, exact: i64, ty: Ty<'c>) -> Result<'c, Val<'c>> {
    let scalar = b.number(types::scalar(ty), value, exact)?;
    b.broadcast(scalar, ty)
}

/// Zero, in every lane.
pub(super) fn zero<'c>(b: Builder<'c>, ty: Ty<'c>) -> Result<'c, Val<'c>> {
    splat(b, 0.0, 0, ty)
}

/// What a target holds after `new` has come to `old`.
pub(super) fn reduce<'c>(
    b: Builder<'c>,
    reduction: Reduction,
    old: Val<'c>,
    new: Val<'c>,
) -> Result<'c, Val<'c>> {
    match reduction {
        Reduction::Set | Reduction::Any => Ok(new),
        Reduction::Add => b.value_op("add", old, new),
        Reduction::Mul => b.value_op("mul", old, new),
        Reduction::Min => extremum(b, "min", old, new),
        Reduction::Max => extremum(b, "max", old, new),
        Reduction::Or => logical(b, "arith.ori", old, new),
        Reduction::And => logical(b, "arith.andi", old, new),
    }
}

/// What a target holds after the first value has come to it, as if it had held the identity: 1 for any
/// truth, a number and no NaN for extrema.
pub(super) fn begin<'c>(b: Builder<'c>, reduction: Reduction, first: Val<'c>) -> Result<'c, Val<'c>> {
    match reduction {
        Reduction::Min | Reduction::Max | Reduction::Or | Reduction::And => {
            let nothing = identity(b, reduction, first.r#type())?;
            reduce(b, reduction, nothing, first)
        }
        Reduction::Set | Reduction::Any | Reduction::Add | Reduction::Mul => Ok(first),
    }
}

/// The value of a `cin.combine` whose operands are there.
pub(super) fn combine<'c>(b: Builder<'c>, op: Op<'c>, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
    match Operator::of(op) {
        Operator::Mul => b.value_op("mul", left, right),
        Operator::Div => divide(b, left, right),
        Operator::Add => b.value_op("add", left, right),
        Operator::Sub => b.value_op("sub", left, right),
        Operator::Min => extremum(b, "min", left, right),
        Operator::Max => extremum(b, "max", left, right),
        Operator::Any | Operator::First => Ok(left),
        Operator::Second => Ok(right),
        Operator::Pair => splat(b, 1.0, 1, left.r#type()),
        Operator::Or => logical(b, "arith.ori", left, right),
        Operator::And => logical(b, "arith.andi", left, right),
    }
}

/// The value with the opposite sign.
pub(super) fn negate<'c>(b: Builder<'c>, value: Val<'c>) -> Result<'c, Val<'c>> {
    if is_float(value) {
        return b.value("arith.negf", &[value], value.r#type());
    }
    let zero = zero(b, value.r#type())?;
    b.subi(zero, value)
}

fn is_float(value: Val<'_>) -> bool {
    types::is_float(types::scalar(value.r#type()))
}

/// Integers are divided by the run time, which reports a division by zero.
fn divide<'c>(b: Builder<'c>, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
    let name = if is_float(left) { "arith.divf" } else { "ta.checked_div" };
    b.value(name, &[left, right], left.r#type())
}

/// `min` or `max`; of a number and NaN, the number.
fn extremum<'c>(b: Builder<'c>, name: &str, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
    let suffix = if is_float(left) { "numf" } else { "si" };
    b.value(&format!("arith.{name}{suffix}"), &[left, right], left.r#type())
}

/// 1 or 0, from whether the operands are not 0.
fn logical<'c>(b: Builder<'c>, name: &str, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
    let ty = left.r#type();
    let (left, right) = (truth(b, left)?, truth(b, right)?);
    let both = b.value(name, &[left, right], left.r#type())?;
    let (one, zero) = (splat(b, 1.0, 1, ty)?, zero(b, ty)?);
    b.select(both, one, zero)
}

/// Whether a value is not 0.
pub(super) fn truth<'c>(b: Builder<'c>, value: Val<'c>) -> Result<'c, Val<'c>> {
    let zero = zero(b, value.r#type())?;
    if is_float(value) { b.cmpf(Compare::Ne, value, zero) } else { b.cmpi(Compare::Ne, value, zero) }
}
