//! Expressions of applications, written without what needs no writing: 0 +, 1 *; and operators of the
//! language in those of applications.

use super::nest::Refusal;
use crate::app::{self, AppExpr, ExprKind, Modification, Scalar, Type};
use comet_diag::Span;
use comet_notation::{Function, Operator};

pub(super) fn expr(kind: ExprKind) -> AppExpr {
    AppExpr { kind, span: Span::default() }
}

pub(super) fn name(name: impl Into<String>) -> AppExpr {
    expr(ExprKind::Name(name.into()))
}

pub(super) fn int(number: i64) -> AppExpr {
    expr(ExprKind::Int(number))
}

pub(super) fn to(value: AppExpr, ty: Type) -> AppExpr {
    expr(ExprKind::To(Box::new(value), ty))
}

pub(super) fn zero(ty: Type) -> AppExpr {
    to(int(0), ty)
}

pub(super) fn read(memory: &str, index: AppExpr) -> AppExpr {
    expr(ExprKind::Read(memory.to_owned(), Box::new(index)))
}

pub(super) fn dequeue(fifo: &str) -> AppExpr {
    expr(ExprKind::Dequeue(fifo.to_owned()))
}

pub(super) fn mux(condition: AppExpr, then: AppExpr, otherwise: AppExpr) -> AppExpr {
    expr(ExprKind::Mux(Box::new(condition), Box::new(then), Box::new(otherwise)))
}

pub(super) fn binary(operator: app::Operator, left: AppExpr, right: AppExpr) -> AppExpr {
    expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)))
}

pub(super) fn negate(value: AppExpr) -> AppExpr {
    expr(ExprKind::Negate(Box::new(value)))
}

pub(super) fn plus(left: AppExpr, right: AppExpr) -> AppExpr {
    match (&left.kind, &right.kind) {
        (ExprKind::Int(0), _) => right,
        (_, ExprKind::Int(0)) => left,
        (ExprKind::Int(a), ExprKind::Int(b)) => int(a + b),
        _ => binary(app::Operator::Add, left, right),
    }
}

pub(super) fn minus(left: AppExpr, right: AppExpr) -> AppExpr {
    match &right.kind {
        ExprKind::Int(0) => left,
        _ => binary(app::Operator::Subtract, left, right),
    }
}

pub(super) fn times(left: AppExpr, right: AppExpr) -> AppExpr {
    match (&left.kind, &right.kind) {
        (ExprKind::Int(0), _) | (_, ExprKind::Int(0)) => int(0),
        (ExprKind::Int(1), _) => right,
        (_, ExprKind::Int(1)) => left,
        _ => binary(app::Operator::Multiply, left, right),
    }
}

/// The conjunction of conditions; `None` where there is none.
pub(super) fn all(conditions: impl IntoIterator<Item = AppExpr>) -> Option<AppExpr> {
    conditions.into_iter().reduce(|a, b| binary(app::Operator::And, a, b))
}

pub(super) fn any(conditions: impl IntoIterator<Item = AppExpr>) -> Option<AppExpr> {
    conditions.into_iter().reduce(|a, b| binary(app::Operator::Or, a, b))
}

/// Two values that meet in an expression.
pub(super) fn combined(with: Operator, left: AppExpr, right: AppExpr, element: &Type) -> AppExpr {
    let both = |with| bit(binary(with, is_set(&left, element), is_set(&right, element)), element);
    match with {
        Operator::Add => binary(app::Operator::Add, left, right),
        Operator::Sub => binary(app::Operator::Subtract, left, right),
        Operator::Mul => binary(app::Operator::Multiply, left, right),
        Operator::Div => binary(app::Operator::Divide, left, right),
        Operator::Min => binary(app::Operator::Min, left, right),
        Operator::Max => binary(app::Operator::Max, left, right),
        // Which one is kept is open.
        Operator::Any | Operator::First => left,
        Operator::Second => right,
        Operator::Pair => to(int(1), element.clone()),
        Operator::Or => both(app::Operator::Or),
        Operator::And => both(app::Operator::And),
        Operator::Eq => bit(binary(app::Operator::Equal, left, right), element),
        Operator::Ne => bit(binary(app::Operator::NotEqual, left, right), element),
        Operator::Lt => bit(binary(app::Operator::Less, left, right), element),
        Operator::Le => bit(binary(app::Operator::LessEqual, left, right), element),
        Operator::Gt => bit(binary(app::Operator::Greater, left, right), element),
        Operator::Ge => bit(binary(app::Operator::GreaterEqual, left, right), element),
        Operator::If => mux(is_set(&left, element), right, zero(element.clone())),
        Operator::Else => mux(is_set(&left, element), zero(element.clone()), right),
        Operator::Either => mux(is_set(&left, element), left.clone(), right),
        Operator::Complex | Operator::Pow | Operator::Own(_) => {
            unreachable!("statements with them are refused")
        }
    }
}

/// A function of a value.
pub(super) fn applied(function: Function, value: AppExpr, element: &Type) -> Result<AppExpr, Refusal> {
    let call = |function, value| expr(ExprKind::Call(function, Box::new(value)));
    let number = |number| to(int(number), element.clone());
    let compared = |with, other| binary(with, value.clone(), other);
    Ok(match function {
        Function::Abs => call(app::Function::Abs, value),
        Function::Sqrt => call(app::Function::Sqrt, value),
        Function::Rsqrt => binary(app::Operator::Divide, number(1), call(app::Function::Sqrt, value)),
        Function::Exp => call(app::Function::Exp, value),
        Function::Log => call(app::Function::Log, value),
        Function::Sin => call(app::Function::Sin, value),
        Function::Cos => call(app::Function::Cos, value),
        Function::Tanh => call(app::Function::Tanh, value),
        Function::Floor => call(app::Function::Floor, value),
        Function::Ceil => call(app::Function::Ceil, value),
        Function::Sigmoid => {
            let power = call(app::Function::Exp, negate(value));
            binary(app::Operator::Divide, number(1), binary(app::Operator::Add, number(1), power))
        }
        Function::Relu => mux(compared(app::Operator::Less, number(0)), number(0), value),
        Function::Sign => {
            // NaN, and 0 without its sign.
            let neither = binary(app::Operator::Add, value.clone(), number(0));
            let below = mux(compared(app::Operator::Less, number(0)), number(-1), neither);
            mux(compared(app::Operator::Greater, number(0)), number(1), below)
        }
        Function::Conj | Function::Real => value,
        Function::Imag => number(0),
        Function::IsNan => bit(compared(app::Operator::NotEqual, value.clone()), element),
        Function::Expm1 | Function::Log1p | Function::Round => {
            let what =
                format!("not supported yet: `{}`, in an application of parallel patterns", function.name());
            return Err(Refusal::new(what));
        }
    })
}

/// The operator of a pattern that reduces values which `prepared` has made, if there is one.
pub(super) fn pattern_operator(with: Operator) -> Option<app::Operator> {
    match with {
        Operator::Add => Some(app::Operator::Add),
        Operator::Mul => Some(app::Operator::Multiply),
        Operator::Min | Operator::And => Some(app::Operator::Min),
        Operator::Max | Operator::Or => Some(app::Operator::Max),
        // `any` keeps what there is; the others do not reduce.
        Operator::Any
        | Operator::Sub
        | Operator::Div
        | Operator::First
        | Operator::Second
        | Operator::Pair
        | Operator::Eq
        | Operator::Ne
        | Operator::Lt
        | Operator::Le
        | Operator::Gt
        | Operator::Ge
        | Operator::Pow
        | Operator::If
        | Operator::Else
        | Operator::Either
        | Operator::Complex
        | Operator::Own(_) => None,
    }
}

/// What there is, and another value that `prepared` has made, in one.
pub(super) fn reduced(with: Operator, there: AppExpr, value: AppExpr, element: &Type) -> AppExpr {
    match pattern_operator(with) {
        Some(operator) => binary(operator, there, value),
        None => mux(is_set(&there, element), there, value),
    }
}

pub(super) fn modification(with: Operator) -> Option<Modification> {
    match pattern_operator(with)? {
        app::Operator::Add => Some(Modification::Add),
        app::Operator::Min => Some(Modification::Min),
        app::Operator::Max => Some(Modification::Max),
        _ => None,
    }
}

/// A value as it goes into the reduction: of those that ask whether values are 0, only that.
pub(super) fn prepared(with: Operator, value: AppExpr, element: &Type) -> AppExpr {
    match with {
        Operator::Or | Operator::And => bit(is_set(&value, element), element),
        _ => value,
    }
}

/// What a reduction begins with. An infinity has no literal.
pub(super) fn identity(with: Operator, element: &Type, meant: Scalar) -> AppExpr {
    let identity = with.identity().expect("a reduction has an identity");
    if identity.float.is_finite() || meant.is_integer() {
        return to(int(identity.integer), element.clone());
    }
    let number = |value: f64| to(expr(ExprKind::Float(value)), element.clone());
    binary(app::Operator::Divide, number(identity.float.signum()), number(0.0))
}

fn is_set(value: &AppExpr, element: &Type) -> AppExpr {
    binary(app::Operator::NotEqual, value.clone(), zero(element.clone()))
}

/// 1 where a condition holds, and 0 elsewhere.
fn bit(condition: AppExpr, element: &Type) -> AppExpr {
    mux(condition, to(int(1), element.clone()), zero(element.clone()))
}
