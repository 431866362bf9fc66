//! The value of a statement, with the values of the module for tensors and index variables.

use crate::element;
use comet_ir::{Val, types};
use comet_sam::arithmetic::{Element, Operator, Reduction};
use comet_sam::graph::{Kept, Merge};
use comet_sam::lower::IndexExpression;
use melior::ir::ValueLike;

/// A tensor at a point, or a number of the function, which has no indices.
#[derive(Clone, PartialEq)]
pub(super) struct TermAccess<'c> {
    pub(super) tensor: Val<'c>,
    pub(super) indices: Vec<Val<'c>>,
}

impl<'c> TermAccess<'c> {
    pub(super) fn is_number(&self) -> bool {
        !types::is_tensor(self.tensor.r#type())
    }

    pub(super) fn element(&self) -> Element {
        element::of_value(self.tensor)
    }

    fn renamed(&self, rename: &dyn Fn(Val<'c>) -> Val<'c>) -> Self {
        let indices = self.indices.iter().map(|index| rename(*index)).collect();
        Self { tensor: self.tensor, indices }
    }
}

pub(super) type ValueTerm<'c> = IndexExpression<TermAccess<'c>, Val<'c>>;

/// Returns two values in one. A sum of what one mask lets through is what it lets through of the sum, for which
/// the mask is read once.
pub(super) fn combined<'c>(
    how: Merge,
    operator: Operator,
    left: ValueTerm<'c>,
    right: ValueTerm<'c>,
) -> ValueTerm<'c> {
    match (how, left, right) {
        (Merge::Union, ValueTerm::Mask(kept, left, mask), ValueTerm::Mask(other, right, second))
            if (kept, &mask) == (other, &second) =>
        {
            ValueTerm::Mask(kept, Box::new(combined(how, operator, *left, *right)), mask)
        }
        (how, left, right) => ValueTerm::Combine(how, operator, Box::new(left), Box::new(right)),
    }
}

pub(super) fn reduced<'c>(value: ValueTerm<'c>, reduction: Reduction, vars: &[Val<'c>]) -> ValueTerm<'c> {
    vars.iter().rev().fold(value, |body, var| ValueTerm::Reduce(reduction, *var, Box::new(body)))
}

pub(super) fn renamed<'c>(value: &ValueTerm<'c>, rename: &dyn Fn(Val<'c>) -> Val<'c>) -> ValueTerm<'c> {
    value.map(&|access| access.renamed(rename), &|var| rename(*var))
}

/// Lets a value through where a mask does. Operators that fail for some values get only what comes through.
pub(super) fn masked<'c>(value: ValueTerm<'c>, kept: Kept, mask: &TermAccess<'c>) -> ValueTerm<'c> {
    let through = |value: ValueTerm<'c>| masked(value, kept, mask);
    match value {
        ValueTerm::Combine(Merge::Intersect, operator, left, right) if divides_integers(operator, &left) => {
            ValueTerm::Combine(Merge::Intersect, operator, Box::new(through(*left)), right)
        }
        value if !may_fail(&value) => ValueTerm::Mask(kept, Box::new(value), mask.clone()),
        ValueTerm::Combine(Merge::Intersect, ..) => {
            value.with_parts(&|part| if may_fail(&part) { through(part) } else { part })
        }
        ValueTerm::Combine(..) | ValueTerm::Apply(..) | ValueTerm::Reduce(..) => value.with_parts(&through),
        value => ValueTerm::Mask(kept, Box::new(value), mask.clone()),
    }
}

fn may_fail(value: &ValueTerm<'_>) -> bool {
    value.any(
        &|part| matches!(part, ValueTerm::Combine(_, operator, left, _) if divides_integers(*operator, left)),
    )
}

fn divides_integers(operator: Operator, left: &ValueTerm<'_>) -> bool {
    operator == Operator::Div && left.element(&TermAccess::element) == Element::I64
}
