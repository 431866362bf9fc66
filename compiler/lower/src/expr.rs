//! Tensor expressions: a tree of operations on `!ta.labeled` values.

use crate::function::{Lowered, Lowering, number_parts};
use comet_ir::{Ty, Val, types};
use comet_sema::program::{Access, Element, LabelId, Number, Operator, TensorExpr, TensorExprKind, TensorOp};

/// Lowers an expression; its value has the MLIR type of `element`, to which every operand is cast.
pub(crate) fn lower<'c>(
    lowering: &mut Lowering<'_, 'c>,
    expr: &TensorExpr,
    element: Element,
) -> Lowered<Val<'c>> {
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
    if expr.element == element {
        return Ok(value);
    }
    let ty = labeled(lowering, element);
    lowering.at(expr.span, |b| b.value("ta.cast", &[value], ty))
}

fn labeled<'c>(lowering: &Lowering<'_, 'c>, element: Element) -> Ty<'c> {
    types::labeled(lowering.element(element))
}

/// Lowers an expression into its own element type.
fn lower_own<'c>(lowering: &mut Lowering<'_, 'c>, expr: &TensorExpr) -> Lowered<Val<'c>> {
    let ty = labeled(lowering, expr.element);
    match &expr.kind {
        TensorExprKind::Access(access) => self::access(lowering, access),
        TensorExprKind::Number(value) => number(lowering, expr, *value),
        TensorExprKind::Scalar(id) => {
            let value = lowering.scalars[id];
            lowering.at(expr.span, |b| b.value("ta.scalar", &[value], ty))
        }
        TensorExprKind::Neg(value) => {
            let value = lower(lowering, value, expr.element)?;
            lowering.at(expr.span, |b| b.value("ta.neg", &[value], ty))
        }
        TensorExprKind::Binary { op, left, right } => {
            let operands = [lower(lowering, left, expr.element)?, lower(lowering, right, expr.element)?];
            binary(lowering, expr, *op, operands)
        }
        TensorExprKind::Reduce { op, labels, body } => {
            let body = lower(lowering, body, expr.element)?;
            reduce(lowering, expr, *op, labels, body)
        }
    }
}

fn access<'c>(lowering: &mut Lowering<'_, 'c>, access: &Access) -> Lowered<Val<'c>> {
    let info = lowering.tensor_info(access.tensor);
    let mut operands = vec![lowering.tensor(access.tensor)];
    for label in &access.labels {
        operands.push(lowering.label(*label));
    }
    let ty = labeled(lowering, info.element);
    lowering.at(access.span, |b| b.value("ta.labeled_tensor", &operands, ty))
}

fn number<'c>(lowering: &Lowering<'_, 'c>, expr: &TensorExpr, value: Number) -> Lowered<Val<'c>> {
    let element = lowering.element(expr.element);
    let (value, exact) = number_parts(value);
    lowering.at(expr.span, |b| {
        let constant = b.number(element, value, exact)?;
        b.value("ta.scalar", &[constant], types::labeled(element))
    })
}

fn binary<'c>(
    lowering: &Lowering<'_, 'c>,
    expr: &TensorExpr,
    op: TensorOp,
    operands: [Val<'c>; 2],
) -> Lowered<Val<'c>> {
    let ty = labeled(lowering, expr.element);
    let combine = match op {
        TensorOp::Add => return lowering.at(expr.span, |b| b.value("ta.add", &operands, ty)),
        TensorOp::Sub => return lowering.at(expr.span, |b| b.value("ta.subtract", &operands, ty)),
        TensorOp::Mul => "mul",
        TensorOp::Div => "div",
        TensorOp::Combine(op) => op.name(),
    };
    lowering.at(expr.span, |b| {
        Ok(b.op("ta.elementwise", &operands, &[ty], &[("op", b.string_attribute(combine))])?.result(0))
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
    let mut operands = vec![body];
    for label in labels {
        operands.push(lowering.label(*label));
    }
    let ty = labeled(lowering, expr.element);
    lowering.at(expr.span, |b| {
        Ok(b.op("ta.reduce", &operands, &[ty], &[("op", b.string_attribute(op.name()))])?.result(0))
    })
}
