//! The operators of expressions and reductions on values, scalars or vectors.

mod complex;

use crate::functions::{Expanded, expand};
use comet_ir::{Builder, Compare, IrError, Result, Ty, Val, ta, types};
use comet_notation::{Constant, Function, Operator, OwnOperator, Step};
use melior::ir::ValueLike;

/// What a reduction of nothing is: 0 for sums and `any`, the largest value for `min`.
pub(super) fn identity<'c>(b: Builder<'c>, reduction: Option<Operator>, ty: Ty<'c>) -> Result<'c, Val<'c>> {
    splat(b, reduction.and_then(Operator::identity).unwrap_or(Constant::ZERO), ty)
}

/// A number in every lane.
fn splat<'c>(b: Builder<'c>, constant: Constant, ty: Ty<'c>) -> Result<'c, Val<'c>> {
    let scalar = b.number(types::scalar(ty), constant.float, constant.integer)?;
    b.broadcast(scalar, ty)
}

pub(super) fn zero<'c>(b: Builder<'c>, ty: Ty<'c>) -> Result<'c, Val<'c>> {
    splat(b, Constant::ZERO, ty)
}

/// What a target holds after `new` has come to `old`.
pub(super) fn reduce<'c>(
    b: Builder<'c>,
    reduction: Option<Operator>,
    old: Val<'c>,
    new: Val<'c>,
) -> Result<'c, Val<'c>> {
    match reduction {
        None | Some(Operator::Any) => Ok(new),
        Some(operator) => combine(b, operator, old, new),
    }
}

/// What a target holds after the first value has come to it, as if it had held the identity.
pub(super) fn begin<'c>(b: Builder<'c>, reduction: Option<Operator>, first: Val<'c>) -> Result<'c, Val<'c>> {
    if !reduction.is_some_and(Operator::changes_single_values) {
        return Ok(first);
    }
    let nothing = identity(b, reduction, first.r#type())?;
    reduce(b, reduction, nothing, first)
}

/// An operator on two values that are there.
pub(super) fn combine<'c>(
    b: Builder<'c>,
    operator: Operator,
    left: Val<'c>,
    right: Val<'c>,
) -> Result<'c, Val<'c>> {
    match operator {
        Operator::Add | Operator::Sub | Operator::Mul => b.value_op(operator.name(), left, right),
        Operator::Div => divide(b, left, right),
        Operator::Min | Operator::Max => extremum(b, operator.name(), left, right),
        Operator::Any | Operator::First => Ok(left),
        Operator::Second => Ok(right),
        Operator::Pair => splat(b, Constant::ONE, left.r#type()),
        Operator::Or | Operator::And => logical(b, operator.name(), left, right),
        Operator::Eq => compare(b, Compare::Eq, left, right),
        Operator::Ne => compare(b, Compare::Ne, left, right),
        Operator::Lt => compare(b, Compare::Lt, left, right),
        Operator::Le => compare(b, Compare::Le, left, right),
        Operator::Gt => compare(b, Compare::Gt, left, right),
        Operator::Ge => compare(b, Compare::Ge, left, right),
        Operator::Pow if is_float(left) => b.value("math.powf", &[left, right], left.r#type()),
        Operator::Pow => Err(IrError::not_supported(b.location(), "a power of integers")),
        Operator::If => b.select(truth(b, left)?, right, zero(b, right.r#type())?),
        Operator::Else => b.select(truth(b, left)?, zero(b, right.r#type())?, right),
        Operator::Either => b.select(truth(b, left)?, left, right),
        Operator::Own(own) => combine_by_own(b, own, left, right),
        Operator::Complex => {
            let ([re, _], [im, _]) = (b.complex_parts(left)?, b.complex_parts(right)?);
            b.complex_of([re, im])
        }
    }
}

/// The steps of an operator of the file, on scalars or vectors of its type.
fn combine_by_own<'c>(
    b: Builder<'c>,
    own: OwnOperator,
    left: Val<'c>,
    right: Val<'c>,
) -> Result<'c, Val<'c>> {
    let definition = own.definition();
    let mut values: Vec<Val<'c>> = Vec::with_capacity(definition.steps.len());
    for step in &definition.steps {
        values.push(match *step {
            Step::Left => left,
            Step::Right => right,
            Step::Number(ty, number) => {
                let ty = types::same_lanes(left.r#type(), types::of_value(b.context(), ty));
                splat(b, number, ty)?
            }
            Step::Convert(to, value) => b.rounded_to(values[value], to)?,
            Step::Apply(function, value) => apply(b, function, values[value])?,
            Step::Combine(operator, [left, right]) => combine(b, operator, values[left], values[right])?,
        });
    }
    Ok(values[definition.result])
}

/// A function of a value, which for integers is an integer.
pub(super) fn apply<'c>(b: Builder<'c>, function: Function, value: Val<'c>) -> Result<'c, Val<'c>> {
    let ty = value.r#type();
    if is_complex(value) {
        return complex::apply(b, function, value);
    }
    let named = |name: &str, value| b.value(name, &[value], ty);
    let number = |number| splat(b, Constant { float: number, integer: number as i64 }, ty);
    let is = |predicate, other| holds(b, predicate, value, other);
    match function {
        Function::Floor | Function::Ceil | Function::Round if !is_float(value) => Ok(value),
        Function::Conj | Function::Real => Ok(value),
        Function::Imag => number(0.0),
        Function::Abs => named(if is_float(value) { "math.absf" } else { "math.absi" }, value),
        Function::Sqrt => named("math.sqrt", value),
        Function::Rsqrt => divide(b, number(1.0)?, named("math.sqrt", value)?),
        Function::Exp => named("math.exp", value),
        Function::Expm1 => named("math.expm1", value),
        Function::Log => named("math.log", value),
        Function::Log1p => named("math.log1p", value),
        Function::Sin => named("math.sin", value),
        Function::Cos => named("math.cos", value),
        Function::Tanh => named("math.tanh", value),
        Function::Floor => named("math.floor", value),
        Function::Ceil => named("math.ceil", value),
        Function::Round => named("math.roundeven", value),
        Function::Sigmoid => expand(b, Expanded::Sigmoid, value),
        Function::Relu => b.select(is(Compare::Lt, number(0.0)?)?, number(0.0)?, value),
        Function::Sign => {
            let zero = number(0.0)?;
            // NaN, and 0 without its sign.
            let neither = if is_float(value) { b.value("arith.addf", &[value, zero], ty)? } else { zero };
            let below = b.select(is(Compare::Lt, zero)?, number(-1.0)?, neither)?;
            b.select(is(Compare::Gt, zero)?, number(1.0)?, below)
        }
        Function::IsNan if !is_float(value) => number(0.0),
        Function::IsNan => compare(b, Compare::Ne, value, value),
    }
}

/// 1 where a comparison holds, else 0.
fn compare<'c>(b: Builder<'c>, predicate: Compare, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
    let (one, zero) = (splat(b, Constant::ONE, left.r#type())?, zero(b, left.r#type())?);
    b.select(holds(b, predicate, left, right)?, one, zero)
}

fn holds<'c>(b: Builder<'c>, predicate: Compare, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
    match (is_complex(left), is_float(left)) {
        (true, _) => b.complex_compared(predicate, left, right),
        (_, true) => b.cmpf(predicate, left, right),
        _ => b.cmpi(predicate, left, right),
    }
}

pub(super) fn negate<'c>(b: Builder<'c>, value: Val<'c>) -> Result<'c, Val<'c>> {
    if is_complex(value) {
        return b.complex_negative(value);
    }
    if is_float(value) {
        return b.value("arith.negf", &[value], value.r#type());
    }
    let zero = zero(b, value.r#type())?;
    b.subi(zero, value)
}

fn is_float(value: Val<'_>) -> bool {
    types::is_float(types::scalar(value.r#type()))
}

fn is_complex(value: Val<'_>) -> bool {
    types::is_complex(types::scalar(value.r#type()))
}

/// Integers are divided by the run time, which reports a division by zero.
fn divide<'c>(b: Builder<'c>, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
    match is_float(left) {
        _ if is_complex(left) => b.complex_quotient(left, right),
        true => b.value("arith.divf", &[left, right], left.r#type()),
        false => ta::CheckedDiv::build(b, left, right).map(|quotient| quotient.quotient()),
    }
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
    let both = b.value_op(name, left, right)?;
    let (one, zero) = (splat(b, Constant::ONE, ty)?, zero(b, ty)?);
    b.select(both, one, zero)
}

pub(super) fn truth<'c>(b: Builder<'c>, value: Val<'c>) -> Result<'c, Val<'c>> {
    holds(b, Compare::Ne, value, zero(b, value.r#type())?)
}
