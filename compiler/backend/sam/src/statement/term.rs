//! The value of a statement, with the values of the module for tensors and index variables.

use crate::element::of_type;
use comet_ir::{Val, types};
use comet_sam::arithmetic::{Element, Function, Operator, Reduction};
use comet_sam::graph::Merge;
use melior::ir::ValueLike;

/// A tensor at a point.
#[derive(Clone, PartialEq)]
pub(super) struct TermAccess<'c> {
    pub(super) tensor: Val<'c>,
    pub(super) indices: Vec<Val<'c>>,
}

/// An expression.
#[derive(Clone)]
pub(super) enum ValueTerm<'c> {
    Access(TermAccess<'c>),
    /// A number of the function.
    Scalar(Val<'c>),
    Apply(Function, Box<ValueTerm<'c>>),
    Combine(Merge, Operator, Box<ValueTerm<'c>>, Box<ValueTerm<'c>>),
    Reduce(Reduction, Val<'c>, Box<ValueTerm<'c>>),
    Mask {
        value: Box<ValueTerm<'c>>,
        mask: TermAccess<'c>,
        complement: bool,
    },
}

impl<'c> ValueTerm<'c> {
    /// Two values in one. A sum of what one mask lets through is what it lets through of the sum, for which
    /// the mask is read once.
    pub(super) fn combine(how: Merge, operator: Operator, left: Self, right: Self) -> Self {
        match (how, left, right) {
            (
                Merge::Union,
                Self::Mask { value: left, mask, complement },
                Self::Mask { value: right, mask: other, complement: is_other },
            ) if mask == other && complement == is_other => {
                let value = Box::new(Self::combine(how, operator, *left, *right));
                Self::Mask { value, mask, complement }
            }
            (how, left, right) => Self::Combine(how, operator, Box::new(left), Box::new(right)),
        }
    }

    /// The reduction over some variables, the first one outermost.
    pub(super) fn reduced(self, reduction: Reduction, vars: &[Val<'c>]) -> Self {
        vars.iter().rev().fold(self, |body, var| Self::Reduce(reduction, *var, Box::new(body)))
    }

    /// Lets a value through where a mask does. Operators that fail for some values get only what comes
    /// through.
    pub(super) fn masked(
        self,
        mask: &TermAccess<'c>,
        complement: bool,
        fails: &dyn Fn(Operator, &Self) -> bool,
    ) -> Self {
        let masked = |value: Box<Self>| Box::new(value.masked(mask, complement, fails));
        match self {
            Self::Combine(Merge::Intersect, operator, left, right) if fails(operator, &left) => {
                Self::Combine(Merge::Intersect, operator, masked(left), right)
            }
            value if !value.has(fails) => {
                Self::Mask { value: Box::new(value), mask: mask.clone(), complement }
            }
            Self::Combine(Merge::Intersect, operator, left, right) => {
                let left = if left.has(fails) { masked(left) } else { left };
                let right = if right.has(fails) { masked(right) } else { right };
                Self::Combine(Merge::Intersect, operator, left, right)
            }
            Self::Combine(Merge::Union, operator, left, right) => {
                Self::Combine(Merge::Union, operator, masked(left), masked(right))
            }
            Self::Apply(function, value) => Self::Apply(function, masked(value)),
            Self::Reduce(reduction, var, body) => Self::Reduce(reduction, var, masked(body)),
            value => Self::Mask { value: Box::new(value), mask: mask.clone(), complement },
        }
    }

    /// Whether an operator in it fails for some values.
    fn has(&self, fails: &dyn Fn(Operator, &Self) -> bool) -> bool {
        match self {
            Self::Access(_) | Self::Scalar(_) => false,
            Self::Apply(_, value) | Self::Reduce(_, _, value) | Self::Mask { value, .. } => value.has(fails),
            Self::Combine(_, operator, left, right) => {
                fails(*operator, left) || left.has(fails) || right.has(fails)
            }
        }
    }

    /// Whether something holds for one of its masks.
    pub(super) fn has_mask(&self, is_it: &dyn Fn(&TermAccess<'c>) -> bool) -> bool {
        match self {
            Self::Access(_) | Self::Scalar(_) => false,
            Self::Apply(_, value) | Self::Reduce(_, _, value) => value.has_mask(is_it),
            Self::Combine(_, _, left, right) => left.has_mask(is_it) || right.has_mask(is_it),
            Self::Mask { value, mask, .. } => is_it(mask) || value.has_mask(is_it),
        }
    }

    /// The type of its values.
    pub(super) fn element(&self) -> Element {
        match self {
            Self::Access(access) => of_type(types::element(access.tensor.r#type())),
            Self::Scalar(value) => of_type(value.r#type()),
            Self::Apply(Function::Convert(to), _) => *to,
            Self::Apply(_, value) | Self::Reduce(_, _, value) | Self::Mask { value, .. } => value.element(),
            Self::Combine(_, _, left, _) => left.element(),
        }
    }

    /// The same with other index variables.
    pub(super) fn renamed(self, rename: &dyn Fn(Val<'c>) -> Val<'c>) -> Self {
        let part = |part: Box<Self>| Box::new(part.renamed(rename));
        match self {
            Self::Access(access) => Self::Access(access.renamed(rename)),
            Self::Scalar(value) => Self::Scalar(value),
            Self::Apply(function, value) => Self::Apply(function, part(value)),
            Self::Combine(how, operator, left, right) => {
                Self::Combine(how, operator, part(left), part(right))
            }
            Self::Reduce(reduction, var, body) => Self::Reduce(reduction, rename(var), part(body)),
            Self::Mask { value, mask, complement } => {
                Self::Mask { value: part(value), mask: mask.renamed(rename), complement }
            }
        }
    }
}

impl<'c> TermAccess<'c> {
    fn renamed(self, rename: &dyn Fn(Val<'c>) -> Val<'c>) -> Self {
        Self { indices: self.indices.into_iter().map(rename).collect(), ..self }
    }
}
