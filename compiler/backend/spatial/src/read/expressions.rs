//! Values.

use super::attributes::{element, name, text, texts};
use crate::cases::Case;
use comet_diag::Span;
use comet_dialects::spatial::SpatialDialectOperation as Spatial;
use comet_ir::{Op, Val, spatial, view_spatial};
use comet_passes::nest::integer;
use comet_spatial::app::{BarrierUse, Expr, ExprKind, Modify, Operator};
use melior::ir::ValueLike;
use melior::ir::attribute::{BoolAttribute, FloatAttribute};

/// A value as the text has it: by its name, or as what computes it.
pub(super) fn expr(value: Val<'_>) -> Expr {
    let kind = match Op::defining(value) {
        Some(op) => part(op, value),
        None => ExprKind::Name(name(value)),
    };
    Expr { kind, span: Span::default() }
}

pub(super) fn optional_expr(value: Option<Val<'_>>) -> Option<Expr> {
    value.map(expr)
}

fn part(op: Op<'_>, value: Val<'_>) -> ExprKind {
    let view = view_spatial(op).expect("an application holds operations of spatial");
    let operand = |number| Box::new(expr(op.operand(number)));
    match &*view {
        Spatial::Int(_) => ExprKind::Int(integer(op, "value")),
        Spatial::Float(_) => ExprKind::Float(float(op)),
        Spatial::Bool(_) => ExprKind::Bool(boolean(op)),
        Spatial::Text(_) => ExprKind::Text(text(op, "value")),
        Spatial::Get(_) => ExprKind::Name(name(op.operand(0))),
        Spatial::Cast(_) => ExprKind::To(operand(0), element(op, value.r#type())),
        Spatial::Read(_) => ExprKind::Read(name(op.operand(0)), operand(1)),
        Spatial::Dequeue(_) => ExprKind::Dequeue(name(op.operand(0))),
        Spatial::Length(_) => ExprKind::Length(name(op.operand(0))),
        Spatial::Argument(_) => ExprKind::Argument(operand(0)),
        Spatial::GetArg(_) => ExprKind::GetArg(name(op.operand(0))),
        Spatial::Negate(_) => ExprKind::Negate(operand(0)),
        Spatial::Not(_) => ExprKind::Not(operand(0)),
        Spatial::Binary(_) => ExprKind::Binary(Case::of(op, "op"), operand(0), operand(1)),
        Spatial::Join(_) => ExprKind::Binary(Operator::Add, operand(0), operand(1)),
        Spatial::Mux(_) => ExprKind::Mux(operand(0), operand(1), operand(2)),
        Spatial::Call(_) => ExprKind::Call(Case::of(op, "function"), operand(0)),
        Spatial::Modified(_) => ExprKind::Modify(Box::new(modify(op))),
        Spatial::BarrierRead(_) => {
            ExprKind::BarrierRead { memory: name(op.operand(0)), index: operand(1), barriers: barriers(op) }
        }
        // What is left has a name.
        _ => ExprKind::Name(name(value)),
    }
}

/// What a modification is, whether its result is used or not.
pub(super) fn modify(op: Op<'_>) -> Modify {
    Modify {
        memory: name(op.operand(0)),
        index: expr(op.operand(1)),
        value: expr(op.operand(2)),
        with: Case::of(op, "with"),
        order: text(op, "order"),
        barriers: barriers(op),
    }
}

/// The barriers of an access, which are the last of its operands.
pub(super) fn barriers(op: Op<'_>) -> Vec<BarrierUse> {
    let (actions, operands) = (texts(op, "actions"), op.operands());
    let first = operands.len() - actions.len();
    let used = |(barrier, action): (&Val<'_>, &String)| BarrierUse {
        barrier: name(*barrier),
        action: Case::of_word(action),
        span: Span::default(),
    };
    operands[first..].iter().zip(&actions).map(used).collect()
}

/// The array that an operation computes.
pub(super) fn tabulate(op: Op<'_>) -> Expr {
    let array = spatial::element(op.result(0).r#type()).expect("an array has elements");
    let [binder] = super::attributes::binders(op);
    let kind = ExprKind::Tabulate {
        element: op.attribute("inferred").is_none().then(|| element(op, array)),
        size: Box::new(expr(op.operand(0))),
        binder,
        value: Box::new(expr(op.body(0).terminator().operand(0))),
    };
    Expr { kind, span: Span::default() }
}

fn float(op: Op<'_>) -> f64 {
    let value = op.attribute("value").and_then(|attribute| FloatAttribute::try_from(attribute).ok());
    value.expect("the verifier demands the attribute").value()
}

fn boolean(op: Op<'_>) -> bool {
    let value = op.attribute("value").and_then(|attribute| BoolAttribute::try_from(attribute).ok());
    value.expect("the verifier demands the attribute").value()
}
