//! Tensor expressions: a tree of operations on `!ta.labeled` values.

use crate::function::{Lowered, Lowering, number_parts};
use crate::own_operator;
use comet_ir::{Ty, Val, ta, types};
use comet_sema::program::{
    Access, Element, LabelId, Number, NumberFunction, Operator, TensorExpr, TensorExprKind, TensorOp,
};
use melior::ir::ValueLike;

/// Lowers an expression; its value has the MLIR type of `element`, to which every operand is cast.
pub(crate) fn lower<'c>(
    lowering: &mut Lowering<'_, 'c>,
    expr: &TensorExpr,
    element: Element,
) -> Lowered<Val<'c>> {
    if let TensorExprKind::Access(access) = &expr.kind
        && lowering.tensor_info(access.tensor).element == element
    {
        // What is stored in the type asked for is copied as it is.
        return stored(lowering, access);
    }
    let value = lower_own(lowering, expr)?;
    cast(lowering, expr, value, element)
}

/// The value of an expression in another element type.
pub(crate) fn cast<'c>(
    lowering: &Lowering<'_, 'c>,
    expr: &TensorExpr,
    value: Val<'c>,
    element: Element,
) -> Lowered<Val<'c>> {
    let ty = labeled(lowering, element);
    if value.r#type() == ty {
        return Ok(value);
    }
    lowering.at(expr.span, |b| Ok(ta::Cast::build(b, value, ty)?.result()))
}

fn labeled<'c>(lowering: &Lowering<'_, 'c>, element: Element) -> Ty<'c> {
    types::labeled(lowering.element(element))
}

/// Lowers an expression into its own element type; conditions are 0 or 1 of the type that they are about.
fn lower_own<'c>(lowering: &mut Lowering<'_, 'c>, expr: &TensorExpr) -> Lowered<Val<'c>> {
    let ty = labeled(lowering, expr.element);
    match &expr.kind {
        TensorExprKind::Access(access) => {
            let value = stored(lowering, access)?;
            cast(lowering, expr, value, expr.element)
        }
        TensorExprKind::Number(value) => number(lowering, expr, *value),
        TensorExprKind::Scalar(id) => {
            let value = lowering.scalars[id];
            lowering.at(expr.span, |b| Ok(ta::Scalar::build(b, value, ty)?.result()))
        }
        TensorExprKind::Neg(value) => {
            let value = lower(lowering, value, expr.element)?;
            lowering.at(expr.span, |b| Ok(ta::Neg::build(b, value)?.result()))
        }
        TensorExprKind::Convert { to, value } => {
            let value = lower(lowering, value, *to)?;
            cast(lowering, expr, value, expr.element)
        }
        TensorExprKind::Apply { function, operand } => applied(lowering, expr, *function, operand),
        TensorExprKind::Drop { value, condition } => {
            let value = lower(lowering, value, expr.element)?;
            let condition = lower_own(lowering, condition)?;
            lowering.at(expr.span, |b| Ok(ta::Drop::build(b, value, condition)?.result()))
        }
        TensorExprKind::Elementwise(value) => lower_own(lowering, value),
        TensorExprKind::Binary { op, left, right, .. } => combined(lowering, expr, *op, [left, right]),
        TensorExprKind::Reduce { op, labels, body } => {
            let body = lower(lowering, body, expr.element)?;
            reduce(lowering, expr, *op, labels, body)
        }
    }
}

/// A function of one value.
fn applied<'c>(
    lowering: &mut Lowering<'_, 'c>,
    expr: &TensorExpr,
    function: NumberFunction,
    operand: &TensorExpr,
) -> Lowered<Val<'c>> {
    // The real functions of complex values have their result as a real part.
    let is_own = function == NumberFunction::IsNan || operand.element.is_complex();
    let operand = lower(lowering, operand, if is_own { operand.element } else { expr.element })?;
    lowering.at(expr.span, |b| Ok(ta::Apply::build(b, function.name(), operand)?.result()))
}

/// An operator of two values, in the type of the result; a condition is computed in the type of its operands.
fn combined<'c>(
    lowering: &mut Lowering<'_, 'c>,
    expr: &TensorExpr,
    op: TensorOp,
    [left, right]: [&TensorExpr; 2],
) -> Lowered<Val<'c>> {
    let element = match op {
        TensorOp::Combine(operator) | TensorOp::Unite(operator) if operator.is_condition() => {
            left.element.widest(right.element)
        }
        _ => expr.element,
    };
    let operands = [lower(lowering, left, element)?, lower(lowering, right, element)?];
    binary(lowering, expr, op, operands)
}

/// The elements of a tensor in the type that they are stored in.
fn stored<'c>(lowering: &Lowering<'_, 'c>, access: &Access) -> Lowered<Val<'c>> {
    let (tensor, labels) = (lowering.tensor(access.tensor), lowering.labels_of(&access.labels));
    lowering.at(access.span, |b| ta::labeled_tensor(b, tensor, &labels))
}

fn number<'c>(lowering: &Lowering<'_, 'c>, expr: &TensorExpr, value: Number) -> Lowered<Val<'c>> {
    let element = lowering.element(expr.element);
    let (value, exact) = number_parts(value);
    lowering.at(expr.span, |b| {
        let constant = b.number(element, value, exact)?;
        Ok(ta::Scalar::build(b, constant, types::labeled(element))?.result())
    })
}

fn binary<'c>(
    lowering: &Lowering<'_, 'c>,
    expr: &TensorExpr,
    op: TensorOp,
    [left, right]: [Val<'c>; 2],
) -> Lowered<Val<'c>> {
    if let TensorOp::Combine(Operator::Own(own)) = op {
        return own_operator::combine(lowering, expr, own, [left, right]);
    }
    let elementwise = |b, op| Ok(ta::Elementwise::build(b, op, left, right)?.result());
    let unite = |b, op| Ok(ta::Unite::build(b, op, left, right)?.result());
    lowering.at(expr.span, |b| match op {
        TensorOp::Add => unite(b, "add"),
        TensorOp::Sub => unite(b, "sub"),
        TensorOp::Unite(op) => unite(b, op.name()),
        TensorOp::Mul => elementwise(b, "mul"),
        TensorOp::Div => elementwise(b, "div"),
        TensorOp::Combine(op) => elementwise(b, op.name()),
    })
}

/// The reduction that an expression is, of a body that has been lowered.
pub(crate) fn reduce<'c>(
    lowering: &Lowering<'_, 'c>,
    expr: &TensorExpr,
    op: Operator,
    labels: &[LabelId],
    body: Val<'c>,
) -> Lowered<Val<'c>> {
    let labels = lowering.labels_of(labels);
    lowering.at(expr.span, |b| Ok(ta::Reduce::build(b, op.name(), body, &labels)?.result()))
}
