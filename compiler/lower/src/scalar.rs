//! Scalars: values of the function, one for each assignment.

use crate::call::{self, Call};
use crate::expr;
use crate::function::{Lowered, Lowering, number_parts};
use comet_diag::Span;
use comet_ir::{Builder, Compare, Val, ta, types};
use comet_sema::program::{Element, ScalarExpr, ScalarExprKind, ScalarId, ScalarOp, TensorExpr};
use melior::ir::ValueLike;

/// `s = expr`.
pub(crate) fn set(lowering: &mut Lowering<'_, '_>, scalar: ScalarId, value: &ScalarExpr) -> Lowered<()> {
    let element = lowering.function.scalars[scalar.0].element;
    let value = lower(lowering, value, element)?;
    lowering.scalars.insert(scalar, value);
    Ok(())
}

/// `print(expr)`: bare where it is a reduction of a tensor, or a scalar that has been one, and an array of
/// one element otherwise.
pub(crate) fn print(lowering: &mut Lowering<'_, '_>, expr: &ScalarExpr, span: Span) -> Lowered<()> {
    let bare = match &expr.kind {
        ScalarExprKind::Scalar(id) => lowering.function.scalars[id.0].prints_bare,
        ScalarExprKind::Reduction(_) => true,
        _ => false,
    };
    let value = lower(lowering, expr, expr.element)?;
    lowering.emit(span, |b| Ok(ta::PrintScalar::build(b, value)?.set_bare(bare)))
}

/// `printElapsedTime(start, end)`.
pub(crate) fn print_elapsed(
    lowering: &mut Lowering<'_, '_>,
    start: &ScalarExpr,
    end: &ScalarExpr,
    span: Span,
) -> Lowered<()> {
    let (start, end) = (lower(lowering, start, Element::F64)?, lower(lowering, end, Element::F64)?);
    lowering.emit(span, |b| ta::PrintElapsed::build(b, start, end))
}

/// Lowers an expression and converts it to `element`: to a value that the type stores, in the type that such
/// values are computed in.
pub(crate) fn lower<'c>(
    lowering: &mut Lowering<'_, 'c>,
    expr: &ScalarExpr,
    element: Element,
) -> Lowered<Val<'c>> {
    let value = lower_own(lowering, expr)?;
    lowering.at(expr.span, |b| b.rounded_to(value, element))
}

fn lower_own<'c>(lowering: &mut Lowering<'_, 'c>, expr: &ScalarExpr) -> Lowered<Val<'c>> {
    match &expr.kind {
        ScalarExprKind::Number(number) => {
            let (value, exact) = number_parts(*number);
            let ty = lowering.element(expr.element);
            lowering.at(expr.span, |b| b.number(ty, value, exact))
        }
        ScalarExprKind::Scalar(id) => Ok(lowering.scalars[id]),
        ScalarExprKind::Neg(value) => negate(lowering, expr, value),
        ScalarExprKind::Convert { to, value } => lower(lowering, value, *to),
        ScalarExprKind::Binary { op, left, right } => binary(lowering, expr, *op, left, right),
        ScalarExprKind::Reduction(body) | ScalarExprKind::Point(body) => reduction(lowering, body, expr.span),
        ScalarExprKind::Element(tensor) => {
            let (tensor, ty) = (lowering.tensor(*tensor), lowering.element(expr.element));
            lowering.at(expr.span, |b| Ok(ta::Extract::build(b, tensor, ty)?.result()))
        }
        ScalarExprKind::Time => lowering.at(expr.span, |b| Ok(ta::Time::build(b)?.seconds())),
        ScalarExprKind::Call { callee, args } => {
            call::value(lowering, &Call { callee, args, span: expr.span })
        }
    }
}

fn negate<'c>(lowering: &mut Lowering<'_, 'c>, expr: &ScalarExpr, value: &ScalarExpr) -> Lowered<Val<'c>> {
    let value = lower(lowering, value, expr.element)?;
    let ty = lowering.element(expr.element);
    lowering.at(expr.span, |b| {
        if types::is_complex(ty) {
            return b.complex_negative(value);
        }
        if types::is_float(ty) {
            return b.value("arith.negf", &[value], ty);
        }
        let zero = b.int(ty, 0)?;
        b.subi(zero, value)
    })
}

/// The value of a tensor expression without free labels: a tensor of rank 0 takes it.
fn reduction<'c>(lowering: &mut Lowering<'_, 'c>, body: &TensorExpr, span: Span) -> Lowered<Val<'c>> {
    let element = lowering.element(body.element);
    let value = expr::lower(lowering, body, body.element)?;
    lowering.at(span, |b| {
        let ty = types::tensor(&[], element, None);
        let tensor = ta::TensorDecl::build(b, "sum", &[], ty)?.tensor();
        ta::Set::build(b, value, tensor, &[], 0.0)?;
        let value = ta::Extract::build(b, tensor, element)?.result();
        ta::Release::build(b, tensor)?;
        Ok(value)
    })
}

fn binary<'c>(
    lowering: &mut Lowering<'_, 'c>,
    expr: &ScalarExpr,
    op: ScalarOp,
    left: &ScalarExpr,
    right: &ScalarExpr,
) -> Lowered<Val<'c>> {
    match op {
        ScalarOp::Add | ScalarOp::Sub | ScalarOp::Mul | ScalarOp::Div => {
            let operands = [lower(lowering, left, expr.element)?, lower(lowering, right, expr.element)?];
            arithmetic(lowering, expr, op, operands)
        }
        ScalarOp::And | ScalarOp::Or => {
            let operands = [truth(lowering, left)?, truth(lowering, right)?];
            let name = if op == ScalarOp::And { "arith.andi" } else { "arith.ori" };
            lowering.at(expr.span, |b| {
                let both = b.value(name, &operands, types::int(b.context(), 1))?;
                b.value("arith.extui", &[both], types::int(b.context(), 64))
            })
        }
        _ => {
            let truth = comparison(lowering, expr.span, op, left, right)?;
            lowering.at(expr.span, |b| b.value("arith.extui", &[truth], types::int(b.context(), 64)))
        }
    }
}

fn arithmetic<'c>(
    lowering: &Lowering<'_, 'c>,
    expr: &ScalarExpr,
    op: ScalarOp,
    [left, right]: [Val<'c>; 2],
) -> Lowered<Val<'c>> {
    let ty = lowering.element(expr.element);
    lowering.at(expr.span, |b| match op {
        ScalarOp::Add => b.value_op("add", left, right),
        ScalarOp::Sub => b.value_op("sub", left, right),
        ScalarOp::Mul => b.value_op("mul", left, right),
        _ if types::is_complex(ty) => b.complex_quotient(left, right),
        _ if types::is_float(ty) => b.value("arith.divf", &[left, right], ty),
        _ => Ok(ta::CheckedDiv::build(b, left, right)?.quotient()),
    })
}

/// Whether a scalar is not 0, as an `i1`.
pub(crate) fn truth<'c>(lowering: &mut Lowering<'_, 'c>, expr: &ScalarExpr) -> Lowered<Val<'c>> {
    let value = lower(lowering, expr, expr.element)?;
    let ty = lowering.element(expr.element);
    lowering.at(expr.span, |b| {
        let zero = b.number(ty, 0.0, 0)?;
        compared(b, Compare::Ne, value, zero)
    })
}

/// A comparison in the wider type of its operands, as an `i1`.
fn comparison<'c>(
    lowering: &mut Lowering<'_, 'c>,
    span: Span,
    op: ScalarOp,
    left: &ScalarExpr,
    right: &ScalarExpr,
) -> Lowered<Val<'c>> {
    let element = left.element.widest(right.element);
    let (left, right) = (lower(lowering, left, element)?, lower(lowering, right, element)?);
    let predicate = match op {
        ScalarOp::Eq => Compare::Eq,
        ScalarOp::Ne => Compare::Ne,
        ScalarOp::Lt => Compare::Lt,
        ScalarOp::Le => Compare::Le,
        ScalarOp::Gt => Compare::Gt,
        _ => Compare::Ge,
    };
    lowering.at(span, |b| compared(b, predicate, left, right))
}

fn compared<'c>(
    b: Builder<'c>,
    predicate: Compare,
    left: Val<'c>,
    right: Val<'c>,
) -> comet_ir::Result<'c, Val<'c>> {
    let ty = left.r#type();
    match (types::is_complex(ty), types::is_float(ty)) {
        (true, _) => b.complex_compared(predicate, left, right),
        (_, true) => b.cmpf(predicate, left, right),
        _ => b.cmpi(predicate, left, right),
    }
}
