//! Some factors of a longer product: `B[k,l] * A[l,j]` is a part of `A[i,k] * B[k,l] * A[l,j]`, which is
//! written as `(A[i,k] * B[k,l]) * A[l,j]`, and becomes `A[i,k] * (B[k,l] * A[l,j])` when that part is
//! computed first.

use crate::nest::erase_unused;
use crate::schedule::{Expression, is_value};
use comet_ir::cin::Operator;
use comet_ir::{Builder, Op, Result, Val, cin};

/// A product, or what another operator makes of several operands in any order, with those of an expression
/// among its own.
pub(super) struct Product<'a, 'c> {
    /// The last operation of the product.
    root: Op<'c>,
    operator: Operator,
    expression: &'a Expression,
    /// The operands that the expression names, in its order.
    named: Vec<Val<'c>>,
    others: Vec<Val<'c>>,
}

impl<'a, 'c> Product<'a, 'c> {
    /// The first one in a value that has all factors of an expression, and others.
    pub(super) fn of(
        value: Val<'c>,
        expression: &'a Expression,
        original: &dyn Fn(Val<'c>) -> Val<'c>,
    ) -> Option<Self> {
        let Expression::Combine(operator, ..) = expression else { return None };
        let op = Op::defining(value).filter(|op| is_value(*op) && !op.is::<cin::Access>())?;
        if !is_combined_by(op, *operator) {
            return op.operands().into_iter().find_map(|operand| Self::of(operand, expression, original));
        }
        let mut others = operands(value, *operator);
        let inside = others.clone().into_iter();
        let mut named = Vec::new();
        for factor in factors(expression, *operator) {
            let place = others.iter().position(|value| factor.is(*value, original));
            let Some(place) = place.filter(|_| changes_places(*operator)) else {
                return inside.into_iter().find_map(|operand| Self::of(operand, expression, original));
            };
            named.push(others.remove(place));
        }
        (!others.is_empty()).then_some(Self { root: op, operator: *operator, expression, named, others })
    }

    /// Combines what the expression names first.
    pub(super) fn regroup(self) -> Result<'c, ()> {
        let b = Builder::before(self.root);
        let part = self.combine_as(b, self.expression, &mut self.named.iter().copied())?;
        let (first, rest) = self.others.split_first().expect("a product has more factors than its part");
        let mut value = *first;
        for other in rest {
            value = self.combine(b, value, *other)?;
        }
        let value = self.combine(b, value, part)?;
        let replaced = self.root.operands();
        self.root.replace(&[value]);
        replaced.into_iter().for_each(erase_unused);
        Ok(())
    }

    fn combine_as(
        &self,
        b: Builder<'c>,
        expression: &Expression,
        named: &mut dyn Iterator<Item = Val<'c>>,
    ) -> Result<'c, Val<'c>> {
        match expression {
            Expression::Combine(operator, left, right) if *operator == self.operator => {
                let left = self.combine_as(b, left, named)?;
                let right = self.combine_as(b, right, named)?;
                self.combine(b, left, right)
            }
            _ => Ok(named.next().expect("every factor has been found")),
        }
    }

    fn combine(&self, b: Builder<'c>, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
        Ok(cin::Combine::build(b, self.operator, left, right)?.result())
    }
}

/// Whether an operator yields the same whatever the order and the grouping of its operands.
fn changes_places(operator: Operator) -> bool {
    matches!(operator, Operator::Mul | Operator::Add | Operator::Min | Operator::Max)
}

fn is_combined_by(op: Op<'_>, operator: Operator) -> bool {
    op.cast::<cin::Combine>().is_some_and(|combine| combine.op() == operator)
}

/// What an operator combines, from left to right.
fn operands(value: Val<'_>, operator: Operator) -> Vec<Val<'_>> {
    match Op::defining(value).filter(|op| is_combined_by(*op, operator)) {
        Some(op) => op.operands().into_iter().flat_map(|operand| operands(operand, operator)).collect(),
        None => vec![value],
    }
}

fn factors(expression: &Expression, operator: Operator) -> Vec<&Expression> {
    match expression {
        Expression::Combine(own, left, right) if *own == operator => {
            [factors(left, operator), factors(right, operator)].concat()
        }
        _ => vec![expression],
    }
}
