//! Sums over the same variables that are added up become one.
//!
//! *Before*: `X(i,j) = sum k (A(i,k) * B(k,j)) + sum k (C(i,k) * D(k,j))`.
//!
//! *After*: `X(i,j) = sum k (A(i,k) * B(k,j) + C(i,k) * D(k,j))`. A round of the loops over tiles adds up
//! what all products give, before any of it is written.

use super::statement::Expression;
use crate::graph::{Merge, Operator, Reduction};
use std::collections::BTreeSet;

/// One of what is added up, or subtracted.
struct Addend {
    is_negative: bool,
    value: Expression,
}

/// Puts the sums of a value together.
pub(super) fn together(value: Expression) -> Expression {
    match value {
        Expression::Combine(Merge::Union, Operator::Add | Operator::Subtract, ..) => {
            let mut addends = Vec::new();
            collect(value, false, &mut addends);
            added_up(grouped(addends))
        }
        Expression::Combine(how, operator, a, b) => {
            Expression::Combine(how, operator, Box::new(together(*a)), Box::new(together(*b)))
        }
        Expression::Apply(function, value) => Expression::Apply(function, Box::new(together(*value))),
        Expression::Reduce(reduction, var, body) => {
            Expression::Reduce(reduction, var, Box::new(together(*body)))
        }
        Expression::Mask { value, mask, complement } => {
            Expression::Mask { value: Box::new(together(*value)), mask, complement }
        }
        Expression::Access(access) => Expression::Access(access),
    }
}

fn collect(value: Expression, is_negative: bool, addends: &mut Vec<Addend>) {
    match value {
        Expression::Combine(Merge::Union, operator @ (Operator::Add | Operator::Subtract), a, b) => {
            collect(*a, is_negative, addends);
            collect(*b, is_negative != (operator == Operator::Subtract), addends);
        }
        value => addends.push(Addend { is_negative, value: together(value) }),
    }
}

/// Addends in their order, sums over the same variables at the place of the first.
fn grouped(addends: Vec<Addend>) -> Vec<Addend> {
    let mut groups: Vec<Addend> = Vec::new();
    for addend in addends {
        match groups.iter().position(|group| are_alike(&group.value, &addend.value)) {
            Some(place) => {
                let Addend { is_negative, value } = groups.remove(place);
                let value = joined(value, addend.value, is_negative != addend.is_negative);
                groups.insert(place, Addend { is_negative, value });
            }
            None => groups.push(addend),
        }
    }
    groups
}

/// Whether both are sums over the same variables, of values that are over the same variables.
fn are_alike(one: &Expression, other: &Expression) -> bool {
    let (reduced, others) = (reduced(one), reduced(other));
    !reduced.is_empty() && reduced == others && one.free_indices() == other.free_indices()
}

/// The variables that an expression sums up, if it is a sum.
fn reduced(expression: &Expression) -> BTreeSet<&str> {
    let mut variables = BTreeSet::new();
    let mut inside = expression;
    while let Expression::Reduce(Reduction::Add, var, body) = inside {
        variables.insert(var.as_str());
        inside = body;
    }
    variables
}

/// The sum of what two sums are of.
fn joined(one: Expression, other: Expression, is_negative: bool) -> Expression {
    match one {
        Expression::Reduce(Reduction::Add, var, body) => {
            Expression::Reduce(Reduction::Add, var, Box::new(joined(*body, other, is_negative)))
        }
        value => combined(value, inside(other), is_negative),
    }
}

fn inside(sum: Expression) -> Expression {
    match sum {
        Expression::Reduce(Reduction::Add, _, body) => inside(*body),
        value => value,
    }
}

fn combined(one: Expression, other: Expression, is_negative: bool) -> Expression {
    let operator = if is_negative { Operator::Subtract } else { Operator::Add };
    Expression::Combine(Merge::Union, operator, Box::new(one), Box::new(other))
}

/// The first addend of a sum is none that is subtracted.
fn added_up(addends: Vec<Addend>) -> Expression {
    let add = |sum: Addend, next: Addend| Addend {
        is_negative: sum.is_negative,
        value: combined(sum.value, next.value, next.is_negative),
    };
    addends.into_iter().reduce(add).expect("a sum has addends").value
}
