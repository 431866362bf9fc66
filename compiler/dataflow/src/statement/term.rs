//! The value of a statement, with the values of the module for tensors and index variables.

use comet_ir::Val;
use comet_sam::arithmetic::{Function, Operator, Reduction};
use comet_sam::graph::How;

/// A tensor at a point.
#[derive(Clone, PartialEq)]
pub(super) struct Access<'c> {
    pub(super) tensor: Val<'c>,
    pub(super) indices: Vec<Val<'c>>,
}

/// An expression.
#[derive(Clone)]
pub(super) enum Term<'c> {
    Access(Access<'c>),
    /// A number of the function.
    Scalar(Val<'c>),
    Apply(Function, Box<Term<'c>>),
    Combine(How, Operator, Box<Term<'c>>, Box<Term<'c>>),
    Reduce(Reduction, Val<'c>, Box<Term<'c>>),
    Mask {
        value: Box<Term<'c>>,
        mask: Access<'c>,
        complement: bool,
    },
}

impl<'c> Term<'c> {
    pub(super) fn combine(how: How, operator: Operator, left: Self, right: Self) -> Self {
        Self::Combine(how, operator, Box::new(left), Box::new(right))
    }

    /// The reduction over some variables, the first one outermost.
    pub(super) fn reduced(self, reduction: Reduction, vars: &[Val<'c>]) -> Self {
        vars.iter().rev().fold(self, |body, var| Self::Reduce(reduction, *var, Box::new(body)))
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

impl<'c> Access<'c> {
    fn renamed(self, rename: &dyn Fn(Val<'c>) -> Val<'c>) -> Self {
        Self { indices: self.indices.into_iter().map(rename).collect(), ..self }
    }
}
