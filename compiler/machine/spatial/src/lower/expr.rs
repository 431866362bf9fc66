//! Expressions of applications, written without what needs no writing: 0 +, 1 *.

use crate::app::{Expr, ExprKind, Operator, Type};
use comet_diag::Span;

pub(super) fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

pub(super) fn name(name: impl Into<String>) -> Expr {
    expr(ExprKind::Name(name.into()))
}

pub(super) fn int(number: i64) -> Expr {
    expr(ExprKind::Int(number))
}

pub(super) fn to(value: Expr, ty: Type) -> Expr {
    expr(ExprKind::To(Box::new(value), ty))
}

pub(super) fn zero(ty: Type) -> Expr {
    to(int(0), ty)
}

pub(super) fn read(memory: &str, index: Expr) -> Expr {
    expr(ExprKind::Read(memory.to_owned(), Box::new(index)))
}

pub(super) fn dequeue(fifo: &str) -> Expr {
    expr(ExprKind::Dequeue(fifo.to_owned()))
}

pub(super) fn mux(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    expr(ExprKind::Mux(Box::new(condition), Box::new(then), Box::new(otherwise)))
}

pub(super) fn binary(operator: Operator, left: Expr, right: Expr) -> Expr {
    expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)))
}

pub(super) fn negate(value: Expr) -> Expr {
    expr(ExprKind::Negate(Box::new(value)))
}

pub(super) fn plus(left: Expr, right: Expr) -> Expr {
    match (&left.kind, &right.kind) {
        (ExprKind::Int(0), _) => right,
        (_, ExprKind::Int(0)) => left,
        (ExprKind::Int(a), ExprKind::Int(b)) => int(a + b),
        _ => binary(Operator::Add, left, right),
    }
}

pub(super) fn minus(left: Expr, right: Expr) -> Expr {
    match &right.kind {
        ExprKind::Int(0) => left,
        _ => binary(Operator::Subtract, left, right),
    }
}

pub(super) fn times(left: Expr, right: Expr) -> Expr {
    match (&left.kind, &right.kind) {
        (ExprKind::Int(0), _) | (_, ExprKind::Int(0)) => int(0),
        (ExprKind::Int(1), _) => right,
        (_, ExprKind::Int(1)) => left,
        _ => binary(Operator::Multiply, left, right),
    }
}

/// The conjunction of conditions; `None` where there is none.
pub(super) fn all(conditions: impl IntoIterator<Item = Expr>) -> Option<Expr> {
    conditions.into_iter().reduce(|a, b| binary(Operator::And, a, b))
}

pub(super) fn any(conditions: impl IntoIterator<Item = Expr>) -> Option<Expr> {
    conditions.into_iter().reduce(|a, b| binary(Operator::Or, a, b))
}
