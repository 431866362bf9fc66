//! Sums over the same variables that are added up become one.
//!
//! *Before*: `X(i,j) = sum k (A(i,k) * B(k,j)) + sum k (C(i,k) * D(k,j))`.
//!
//! *After*: `X(i,j) = sum k (A(i,k) * B(k,j) + C(i,k) * D(k,j))`. An iteration of the loops over tiles adds
//! up all products before any of it is written.

use super::statement::IndexExpression;
use crate::graph::{Merge, Operator, Reduction};
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

impl Sign {
    fn times(self, other: Self) -> Self {
        if self == other { Self::Plus } else { Self::Minus }
    }

    fn of(operator: Operator) -> Self {
        if operator == Operator::Sub { Self::Minus } else { Self::Plus }
    }
}

struct Addend {
    sign: Sign,
    value: IndexExpression,
}

pub(super) fn together(value: IndexExpression) -> IndexExpression {
    match value {
        IndexExpression::Combine(Merge::Union, Operator::Add | Operator::Sub, ..) => {
            let mut addends = Vec::new();
            collect(value, Sign::Plus, &mut addends);
            added_up(grouped(addends))
        }
        other => other.with_parts(&together),
    }
}

fn collect(value: IndexExpression, sign: Sign, addends: &mut Vec<Addend>) {
    match value {
        IndexExpression::Combine(Merge::Union, operator @ (Operator::Add | Operator::Sub), a, b) => {
            collect(*a, sign, addends);
            collect(*b, sign.times(Sign::of(operator)), addends);
        }
        value => addends.push(Addend { sign, value: together(value) }),
    }
}

/// Addends in their order, sums over the same variables at the place of the first.
fn grouped(addends: Vec<Addend>) -> Vec<Addend> {
    let mut groups: Vec<Addend> = Vec::new();
    for addend in addends {
        match groups.iter().position(|group| are_alike(&group.value, &addend.value)) {
            Some(place) => {
                let Addend { sign, value } = groups.remove(place);
                let value = joined(value, addend.value, sign.times(addend.sign));
                groups.insert(place, Addend { sign, value });
            }
            None => groups.push(addend),
        }
    }
    groups
}

/// Whether both are sums over the same variables, of values that are over the same variables.
fn are_alike(one: &IndexExpression, other: &IndexExpression) -> bool {
    let (reduced, others) = (reduced(one), reduced(other));
    !reduced.is_empty() && reduced == others && one.free_indices() == other.free_indices()
}

/// The variables that an expression sums up, if it is a sum.
fn reduced(expression: &IndexExpression) -> BTreeSet<&str> {
    let mut variables = BTreeSet::new();
    let mut inside = expression;
    while let IndexExpression::Reduce(Reduction::Add, var, body) = inside {
        variables.insert(var.as_str());
        inside = body;
    }
    variables
}

fn joined(one: IndexExpression, other: IndexExpression, sign: Sign) -> IndexExpression {
    match one {
        IndexExpression::Reduce(Reduction::Add, var, body) => {
            IndexExpression::Reduce(Reduction::Add, var, Box::new(joined(*body, other, sign)))
        }
        value => combined(value, inside(other), sign),
    }
}

fn inside(sum: IndexExpression) -> IndexExpression {
    match sum {
        IndexExpression::Reduce(Reduction::Add, _, body) => inside(*body),
        value => value,
    }
}

fn combined(one: IndexExpression, other: IndexExpression, sign: Sign) -> IndexExpression {
    let operator = if sign == Sign::Minus { Operator::Sub } else { Operator::Add };
    IndexExpression::Combine(Merge::Union, operator, Box::new(one), Box::new(other))
}

/// The first addend of a sum is none that is subtracted.
fn added_up(addends: Vec<Addend>) -> IndexExpression {
    let add = |sum: Addend, next: Addend| Addend {
        sign: sum.sign,
        value: combined(sum.value, next.value, next.sign),
    };
    addends.into_iter().reduce(add).expect("a sum has addends").value
}
