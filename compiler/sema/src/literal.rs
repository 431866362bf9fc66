//! Numbers of the text, as the types take them that they are stored in.

use comet_diag::{Diagnostic, Span};
use comet_format::ValueKind;
use comet_syntax::ast::{Element, Expr, ExprKind, Ident};

use crate::element::number;
use crate::function::Checker;
use crate::program::{Number, TensorId};

/// A number, or the negative of one.
pub(crate) fn literal(expr: &Expr) -> Option<Number> {
    match &expr.kind {
        ExprKind::Number(written) => Some(number(*written)),
        ExprKind::Neg(operand) => literal(operand).map(Number::negated),
        _ => None,
    }
}

impl Number {
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Float(value) => Self::Float(-value),
            Self::Int(value) => value.checked_neg().map_or(Self::Float(-(value as f64)), Self::Int),
        }
    }

    pub(crate) fn as_f64(self) -> f64 {
        match self {
            Self::Float(value) => value,
            Self::Int(value) => value as f64,
        }
    }

    /// The integer that it is; the nearest one, where it is beyond 64 bits or has a fraction.
    fn as_integer(self) -> i64 {
        match self {
            Self::Float(value) => value as i64,
            Self::Int(value) => value,
        }
    }
}

impl Checker<'_> {
    /// Refuses a number that elements of a tensor cannot store.
    pub(crate) fn check_fits(&mut self, tensor: TensorId, value: Number, span: Span) -> Option<()> {
        let info = &self.scope.tensors[tensor.0];
        let (name, element, declared) = (info.name.clone(), info.element, info.span);
        if has_fraction(value) && is_integer(element) {
            let message = format!("`{}` holds `{}`, expected a whole number", name.name, element.word());
            let error = Diagnostic::error(span, message).also(declared, "declared here");
            return self.refuse(error.hint("leave out the fraction, or declare the tensor `double`"));
        }
        self.check_range(value, span, element, (&name, declared))
    }

    /// Returns a number as a parameter takes it, or refuses one that its type cannot store. What stores
    /// truths takes any number.
    pub(crate) fn passed_number(
        &mut self,
        value: Number,
        span: Span,
        element: Element,
        (name, declared): (&Ident, Span),
    ) -> Option<Number> {
        if has_fraction(value) && is_integer(element) {
            let message =
                format!("parameter `{}` is `{}`, expected a whole number", name.name, element.word());
            let error = Diagnostic::error(span, message).also(declared, "declared here");
            return self.refuse(error.hint("leave out the fraction, or declare the parameter `double`"));
        }
        self.check_range(value, span, element, (name, declared))?;
        Some(match element.row().kind {
            ValueKind::Truth => Number::Int(i64::from(value.as_f64() != 0.0)),
            ValueKind::Integer(..) => Number::Int(value.as_integer()),
            ValueKind::Float(_) | ValueKind::Complex(_) => value,
        })
    }

    fn check_range(
        &mut self,
        value: Number,
        span: Span,
        element: Element,
        (name, declared): (&Ident, Span),
    ) -> Option<()> {
        let ValueKind::Integer(min, max) = element.row().kind else { return Some(()) };
        // 2⁶³ is the first number beyond the integers of 64 bits.
        let is_integer = matches!(value, Number::Int(_)) || (-TWO_63..TWO_63).contains(&value.as_f64());
        if is_integer && element.holds(value.as_integer()) {
            return Some(());
        }
        let message =
            format!("`{}` is `{}`, expected a number from {min} to {max}", name.name, element.word());
        let error = Diagnostic::error(span, message).also(declared, "declared here");
        self.refuse(error.hint("write a number in that range, or declare a wider type"))
    }
}

const TWO_63: f64 = 9_223_372_036_854_775_808.0;

fn has_fraction(value: Number) -> bool {
    matches!(value, Number::Float(value) if value.fract() != 0.0)
}

fn is_integer(element: Element) -> bool {
    matches!(element.row().kind, ValueKind::Integer(..))
}
