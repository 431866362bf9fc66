//! Numbers of the text, which have no type of their own, and what is computed from them alone.

use super::Result;
use super::expression::{Typed, has_no};
use crate::app::{Operator, Scalar};
use crate::interpret::program::Node;
use crate::interpret::scalar;
use comet_diag::{Diagnostic, Span};

/// A number without a type.
#[derive(Clone, Copy, Debug)]
pub(super) enum Literal {
    Integer(i64),
    Real(f64),
}

/// The type that a number has where nothing else says one.
pub(super) fn own_type(literal: Literal) -> Scalar {
    match literal {
        Literal::Integer(value) if i32::try_from(value).is_err() => Scalar::Long,
        Literal::Integer(_) => Scalar::Int,
        Literal::Real(_) => Scalar::Double,
    }
}

pub(super) fn common(left: Literal, right: Literal) -> Scalar {
    match (own_type(left), own_type(right)) {
        (Scalar::Double, _) | (_, Scalar::Double) => Scalar::Double,
        (Scalar::Long, _) | (_, Scalar::Long) => Scalar::Long,
        (of, _) => of,
    }
}

/// A number as a value of a type.
pub(super) fn settled(literal: Literal, of: Scalar, span: Span) -> Result<u64> {
    let (word, number) = match literal {
        Literal::Integer(value) => (of.word_of_integer(value), value.to_string()),
        Literal::Real(value) => (of.word_of_real(value), value.to_string()),
    };
    word.ok_or_else(|| Diagnostic::error(span, format!("type `{}` has no {number}", of.word())).into())
}

/// What comes of two numbers without types.
pub(super) fn folded(operator: Operator, left: Literal, right: Literal, span: Span) -> Result<Typed> {
    let (left, right) = match (left, right) {
        (Literal::Integer(left), Literal::Integer(right)) => {
            return folded_integers(operator, left, right, span);
        }
        (Literal::Integer(left), Literal::Real(right)) => (left as f64, right),
        (Literal::Real(left), Literal::Integer(right)) => (left, right as f64),
        (Literal::Real(left), Literal::Real(right)) => (left, right),
    };
    let operation = scalar::binary(operator, Scalar::Double);
    let operation = operation.ok_or_else(|| has_no(operator.word(), Scalar::Double, span))?;
    let word = operation(left.to_bits(), right.to_bits());
    Ok(match operator.compares() {
        true => Typed::Value(Node::Constant(word), Scalar::Bit),
        false => Typed::Literal(Literal::Real(f64::from_bits(word))),
    })
}

fn folded_integers(operator: Operator, left: i64, right: i64, span: Span) -> Result<Typed> {
    let result = match operator {
        Operator::Divide | Operator::Remainder if right == 0 => {
            return Err(Diagnostic::error(span, format!("{left} is divided by 0")).into());
        }
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide => left.checked_div(right),
        Operator::Remainder => left.checked_rem(right),
        Operator::Min => Some(left.min(right)),
        Operator::Max => Some(left.max(right)),
        Operator::And => Some(left & right),
        Operator::Or => Some(left | right),
        _ => {
            let compare = scalar::binary(operator, Scalar::Long).expect("integers are compared");
            return Ok(Typed::Value(Node::Constant(compare(left as u64, right as u64)), Scalar::Bit));
        }
    };
    result.map(|value| Typed::Literal(Literal::Integer(value))).ok_or_else(|| too_large(span))
}

pub(super) fn too_large(span: Span) -> Box<Diagnostic> {
    Diagnostic::error(span, "this number does not fit 64 bits").into()
}
