//! Operators and reductions of the language in those of applications.

use super::expr::{binary, expr, int, mux, to, zero};
use crate::app::{Expr, ExprKind, Modification, Operator, Type};

/// How two values become one where they meet in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
    /// The quotient.
    Divide,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// The first one.
    First,
    /// The second one.
    Second,
    /// 1.
    Pair,
    /// 1 where one of them is not 0.
    Or,
    /// 1 where both are not 0.
    And,
}

/// How values that come to one element become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// The sum.
    Add,
    /// The product.
    Multiply,
    /// The smallest one.
    Min,
    /// The largest one.
    Max,
    /// One of them: the first that is not 0, if there is one.
    Any,
    /// 1 where one of them is not 0.
    Or,
    /// 1 where all are not 0.
    And,
}

impl Operation {
    pub(super) fn of(self, left: Expr, right: Expr, element: &Type) -> Expr {
        let both = |operator| bit(binary(operator, is_set(&left, element), is_set(&right, element)), element);
        match self {
            Self::Add => binary(Operator::Add, left, right),
            Self::Subtract => binary(Operator::Subtract, left, right),
            Self::Multiply => binary(Operator::Multiply, left, right),
            Self::Divide => binary(Operator::Divide, left, right),
            Self::Min => binary(Operator::Min, left, right),
            Self::Max => binary(Operator::Max, left, right),
            Self::First => left,
            Self::Second => right,
            Self::Pair => to(int(1), element.clone()),
            Self::Or => both(Operator::Or),
            Self::And => both(Operator::And),
        }
    }

    /// What it is in a text.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Min => "min",
            Self::Max => "max",
            Self::First => "first",
            Self::Second => "second",
            Self::Pair => "pair",
            Self::Or => "or",
            Self::And => "and",
        }
    }
}

impl Reduction {
    /// The operator of a pattern that reduces values which `prepared` has made, if there is one.
    pub(super) fn operator(self) -> Option<Operator> {
        match self {
            Self::Add => Some(Operator::Add),
            Self::Multiply => Some(Operator::Multiply),
            Self::Min | Self::And => Some(Operator::Min),
            Self::Max | Self::Or => Some(Operator::Max),
            Self::Any => None,
        }
    }

    /// What there is, and another value that `prepared` has made, in one.
    pub(super) fn of(self, there: Expr, value: Expr, element: &Type) -> Expr {
        match self.operator() {
            Some(operator) => binary(operator, there, value),
            None => mux(is_set(&there, element), there, value),
        }
    }

    /// What a sparse SRAM does by itself.
    pub(super) fn modification(self) -> Option<Modification> {
        match self {
            Self::Add => Some(Modification::Add),
            Self::Multiply | Self::Any => None,
            Self::Min | Self::And => Some(Modification::Min),
            Self::Max | Self::Or => Some(Modification::Max),
        }
    }

    /// A value as it goes into the reduction: of those that ask whether values are 0, only that.
    pub(super) fn prepared(self, value: Expr, element: &Type) -> Expr {
        match self {
            Self::Or | Self::And => bit(is_set(&value, element), element),
            _ => value,
        }
    }

    /// What the reduction begins with.
    pub(super) fn identity(self, element: &Type, meant: &Type) -> Expr {
        match self {
            Self::Add | Self::Any | Self::Or => zero(element.clone()),
            Self::Multiply | Self::And => to(int(1), element.clone()),
            Self::Min => extreme(element, meant, i64::MAX, 1.0),
            Self::Max => extreme(element, meant, i64::MIN, -1.0),
        }
    }
}

/// The largest or smallest number: an infinity, which has no literal.
fn extreme(element: &Type, meant: &Type, integer: i64, sign: f64) -> Expr {
    if matches!(meant, Type::Int | Type::Long) {
        return to(int(integer), element.clone());
    }
    let number = |value: f64| to(expr(ExprKind::Float(value)), element.clone());
    binary(Operator::Divide, number(sign), number(0.0))
}

/// Whether a value is not 0.
fn is_set(value: &Expr, element: &Type) -> Expr {
    binary(Operator::NotEqual, value.clone(), zero(element.clone()))
}

/// 1 where a condition holds, and 0 elsewhere.
fn bit(condition: Expr, element: &Type) -> Expr {
    mux(condition, to(int(1), element.clone()), zero(element.clone()))
}
