//! Values of a run that does not happen, as far as text and statistics decide them.

use super::{Known, Predictor};
use crate::app::{Expr, ExprKind, Operator, Type};

#[derive(Clone, Debug)]
pub(super) enum Expected {
    Number(f64),
    /// An element of an array of positions, so many behind some place, where a condition holds that often.
    Position {
        array: String,
        behind: i64,
        often: f64,
    },
    /// The length of a segment of an array, where a condition holds that often.
    Segment {
        array: String,
        often: f64,
    },
    /// How often a condition holds.
    Condition(f64),
}

impl Predictor<'_> {
    pub(super) fn value(&self, value: &Expr) -> Expected {
        match &value.kind {
            ExprKind::Int(number) => Expected::Number(*number as f64),
            ExprKind::Name(name) => match self.known(name) {
                Some(Known::Value(value)) => value.clone(),
                _ => Expected::Number(self.statistics.numbers.get(name).copied().unwrap_or(0.0)),
            },
            ExprKind::To(value, _) => self.value(value),
            ExprKind::Read(memory, index) => {
                let behind = match &index.kind {
                    ExprKind::Binary(Operator::Add, _, one) => match one.kind {
                        ExprKind::Int(behind) => behind,
                        _ => 0,
                    },
                    _ => 0,
                };
                match self.known(memory) {
                    Some(Known::Memory { array: Some(array), .. }) => {
                        Expected::Position { array: array.clone(), behind, often: 1.0 }
                    }
                    _ => Expected::Number(0.0),
                }
            }
            ExprKind::Binary(operator, left, right) => self.combined(*operator, left, right),
            ExprKind::Mux(condition, then, otherwise) => {
                let often = match self.value(condition) {
                    Expected::Condition(often) => often,
                    _ => 1.0,
                };
                match self.value(then) {
                    Expected::Position { array, behind, .. } => Expected::Position { array, behind, often },
                    Expected::Number(then) => {
                        let otherwise = self.number(&self.value(otherwise));
                        Expected::Number(often * then + (1.0 - often) * otherwise)
                    }
                    other => other,
                }
            }
            _ => Expected::Number(0.0),
        }
    }

    fn combined(&self, operator: Operator, left: &Expr, right: &Expr) -> Expected {
        let (one, other) = (self.value(left), self.value(right));
        match operator {
            Operator::GreaterEqual => match one {
                Expected::Condition(often) => Expected::Condition(often),
                _ => Expected::Condition(1.0),
            },
            Operator::Subtract => self.difference(&one, &other),
            Operator::Add => match (&one, &other) {
                (Expected::Position { array, behind, often }, Expected::Number(more)) => {
                    Expected::Position { array: array.clone(), behind: behind + *more as i64, often: *often }
                }
                _ => Expected::Number(self.number(&one) + self.number(&other)),
            },
            Operator::Multiply => Expected::Number(self.number(&one) * self.number(&other)),
            Operator::Divide => Expected::Number((self.number(&one) / self.number(&other).max(1.0)).trunc()),
            Operator::Min => Expected::Number(self.number(&one).min(self.number(&other))),
            Operator::Max => Expected::Number(self.number(&one).max(self.number(&other))),
            _ => Expected::Number(0.0),
        }
    }

    pub(super) fn difference(&self, to: &Expected, from: &Expected) -> Expected {
        match (to, from) {
            (
                Expected::Position { array, behind, often },
                Expected::Position { array: other, behind: before, .. },
            ) if array == other => match behind - before {
                1 => Expected::Segment { array: array.clone(), often: *often },
                apart => Expected::Number(apart as f64 * often * self.mean(array, |len| len as f64)),
            },
            (Expected::Number(to), Expected::Number(from)) => Expected::Number((to - from).max(0.0)),
            _ => Expected::Number((self.number(to) - self.number(from)).max(0.0)),
        }
    }

    pub(super) fn mean(&self, array: &str, of: impl Fn(u64) -> f64) -> f64 {
        self.statistics.arrays.get(array).map_or(0.0, |array| array.mean(of))
    }

    pub(super) fn number(&self, value: &Expected) -> f64 {
        match value {
            Expected::Number(number) => *number,
            Expected::Segment { array, often } => often * self.mean(array, |len| len as f64),
            Expected::Position { .. } => 0.0,
            Expected::Condition(often) => *often,
        }
    }

    /// The times that so many are done, as many at once as a factor says.
    pub(super) fn steps(&self, len: &Expected, par: u64) -> f64 {
        match len {
            Expected::Segment { array, often } => often * self.mean(array, |len| len.div_ceil(par) as f64),
            _ => (self.number(len) / par as f64).ceil(),
        }
    }

    pub(super) fn factor(&self, par: &Expr) -> u64 {
        (self.number(&self.value(par)) as u64).max(1)
    }

    pub(super) fn bytes(&self, of: &Type) -> f64 {
        f64::from(self.app.bits(of).div_ceil(8))
    }
}
