//! Combining by operators of the file: their steps become operations on index expressions, which
//! intersect, so that no later stage has to know of them.
//!
//! Before, with `def f(double x, double y) -> double { return x + x * y; }`: `A[i,j] @(f) B[i,j]`. After:
//! `A[i,j] @(+) (A[i,j] @(*) B[i,j])`.

use crate::expr::cast;
use crate::function::{Lowered, Lowering};
use comet_ir::{Val, ta, types};
use comet_sema::program::{OperatorStep as Step, OwnOperator, TensorExpr};

/// Lowers an operator on two operands of its type.
pub(crate) fn combine<'c>(
    lowering: &Lowering<'_, 'c>,
    expr: &TensorExpr,
    own: OwnOperator,
    operands: [Val<'c>; 2],
) -> Lowered<Val<'c>> {
    let definition = own.definition();
    let mut values: Vec<Val<'c>> = Vec::with_capacity(definition.steps.len());
    for step in &definition.steps {
        values.push(self::step(lowering, expr, step, (operands, &values))?);
    }
    let mut value = values[definition.result];
    // What a function does not look at has to be present all the same.
    for (place, operand) in operands.into_iter().enumerate() {
        if !definition.uses(place) {
            value = lowering
                .at(expr.span, |b| Ok(ta::Elementwise::build(b, "first", value, operand)?.result()))?;
        }
    }
    Ok(value)
}

fn step<'c>(
    lowering: &Lowering<'_, 'c>,
    expr: &TensorExpr,
    step: &Step,
    ([left, right], values): ([Val<'c>; 2], &[Val<'c>]),
) -> Lowered<Val<'c>> {
    match *step {
        Step::Left => Ok(left),
        Step::Right => Ok(right),
        Step::Number(element, number) => {
            let ty = lowering.element(element);
            lowering.at(expr.span, |b| {
                let constant = b.number(ty, number.float, number.integer)?;
                Ok(ta::Scalar::build(b, constant, types::labeled(ty))?.result())
            })
        }
        Step::Convert(to, value) => {
            let stored = cast(lowering, expr, values[value], to)?;
            cast(lowering, expr, stored, to.computed())
        }
        Step::Apply(function, value) => {
            lowering.at(expr.span, |b| Ok(ta::Apply::build(b, function.name(), values[value])?.result()))
        }
        Step::Combine(operator, [left, right]) => {
            let (left, right) = (values[left], values[right]);
            lowering.at(expr.span, |b| Ok(ta::Elementwise::build(b, operator.name(), left, right)?.result()))
        }
    }
}
