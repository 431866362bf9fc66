//! An assignment as plain data, between the operations that are read and those that are written.

use crate::schedule::Command;
use crate::sums::keeps_order;
pub(super) use crate::ta::operand::Operand;
use comet_ir::cin::{Function, Operator, Reduction};
use comet_ir::{Loc, Ty, Val, types};
use comet_notation::distinct;
use melior::ir::ValueLike;

#[derive(Clone)]
pub(super) struct Label<'c> {
    pub(super) name: String,
    /// Its extent, of type `index`.
    pub(super) size: Val<'c>,
}

/// `target[labels] = value`, or `+=`.
pub(super) struct Assignment<'c> {
    pub(super) location: Loc<'c>,
    pub(super) labels: Vec<Label<'c>>,
    pub(super) target: Operand<'c>,
    /// Whether the old values go.
    pub(super) overwrite: bool,
    pub(super) value: Expr<'c>,
    /// The mask in it whose positions are computed one by one.
    pub(super) pulled: Option<Val<'c>>,
    pub(super) commands: Vec<Command<'c>>,
    pub(super) terms: Terms,
}

/// Which loops the terms of a sum get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Terms {
    /// Each its own.
    Split,
    /// All the same.
    Whole,
}

impl<'c> Assignment<'c> {
    /// Another statement over the same labels, without commands.
    pub(super) fn with(&self, target: Operand<'c>, value: Expr<'c>) -> Self {
        Self {
            location: self.location,
            labels: self.labels.clone(),
            target,
            overwrite: self.overwrite,
            value,
            pulled: None,
            commands: Vec::new(),
            terms: self.terms,
        }
    }

    /// Whether the value reads the tensor that is assigned to.
    pub(super) fn reads_target(&self) -> bool {
        self.value.accesses().into_iter().any(|access| access.tensor == self.target.tensor)
    }

    /// The labels whose loops are not cut along the blocks of a format: commands cut those that they name,
    /// and back ends that take whole statements want none cut.
    pub(super) fn uncut_labels(&self) -> Vec<usize> {
        if self.terms == Terms::Whole {
            return (0..self.labels.len()).collect();
        }
        let is_named = |label: &Label<'_>| {
            self.commands.iter().any(|command| command.action.vars().contains(&label.name.as_str()))
        };
        (0..self.labels.len()).filter(|label| is_named(&self.labels[*label])).collect()
    }
}

#[derive(Clone)]
pub(super) enum Expr<'c> {
    Access(Operand<'c>),
    Scalar(Val<'c>),
    Cast(Box<Expr<'c>>, Ty<'c>),
    Neg(Box<Expr<'c>>),
    Add(Box<Expr<'c>>, Box<Expr<'c>>),
    Sub(Box<Expr<'c>>, Box<Expr<'c>>),
    Apply(Function, Box<Expr<'c>>),
    /// The value where the condition is 0 or missing.
    Drop {
        value: Box<Expr<'c>>,
        condition: Box<Expr<'c>>,
    },
    /// An operator that unites; sums are terms of their own, and are [`Self::Add`] and [`Self::Sub`].
    Unite(Operator, Box<Expr<'c>>, Box<Expr<'c>>),
    /// An operator that intersects.
    Combine(Operator, Box<Expr<'c>>, Box<Expr<'c>>),
    /// The value where the mask, an access, is stored; with `complement`, where it is not.
    Mask {
        value: Box<Expr<'c>>,
        mask: Box<Expr<'c>>,
        complement: bool,
    },
    Reduce {
        op: Reduction,
        labels: Vec<usize>,
        body: Box<Expr<'c>>,
    },
}

impl<'c> Expr<'c> {
    pub(super) fn children(&self) -> Vec<&Expr<'c>> {
        match self {
            Expr::Access(_) | Expr::Scalar(_) => Vec::new(),
            Expr::Cast(value, _) | Expr::Neg(value) | Expr::Apply(_, value) => vec![value],
            Expr::Add(left, right)
            | Expr::Sub(left, right)
            | Expr::Unite(_, left, right)
            | Expr::Combine(_, left, right) => vec![left, right],
            Expr::Drop { value, condition } => vec![value, condition],
            // The mask's storage order counts before that of what it filters.
            Expr::Mask { value, mask, .. } => vec![mask, value],
            Expr::Reduce { body, .. } => vec![body],
        }
    }

    /// Every access in it, from left to right.
    pub(super) fn accesses(&self) -> Vec<&Operand<'c>> {
        match self {
            Expr::Access(access) => vec![access],
            _ => self.children().into_iter().flat_map(Expr::accesses).collect(),
        }
    }

    pub(super) fn is_sparse(&self) -> bool {
        self.accesses().iter().any(|access| access.is_sparse())
    }

    /// Whether it has a value for all coordinates, whatever its sparse operands store.
    pub(super) fn is_everywhere(&self) -> bool {
        match self {
            Expr::Access(access) => !access.is_sparse(),
            Expr::Scalar(_) => true,
            Expr::Cast(value, _) | Expr::Neg(value) | Expr::Apply(_, value) => value.is_everywhere(),
            Expr::Add(left, right) | Expr::Sub(left, right) | Expr::Unite(_, left, right) => {
                left.is_everywhere() || right.is_everywhere()
            }
            Expr::Combine(_, left, right) => left.is_everywhere() && right.is_everywhere(),
            Expr::Drop { .. } | Expr::Mask { .. } | Expr::Reduce { .. } => false,
        }
    }

    pub(super) fn reduces(&self) -> bool {
        matches!(self, Expr::Reduce { .. }) || self.children().into_iter().any(Expr::reduces)
    }

    /// The type of its values.
    pub(super) fn element(&self) -> Ty<'c> {
        match self {
            Expr::Access(access) => types::element_of(access.tensor),
            Expr::Scalar(value) => value.r#type(),
            Expr::Cast(_, ty) => *ty,
            Expr::Mask { value, .. } => value.element(),
            other => other.children()[0].element(),
        }
    }

    /// The labels that it uses and does not reduce itself, each once, from left to right.
    pub(super) fn free_labels(&self) -> Vec<usize> {
        let mut found = match self {
            Expr::Access(access) => access.labels.clone(),
            _ => self.children().into_iter().flat_map(Expr::free_labels).collect(),
        };
        if let Expr::Reduce { labels, .. } = self {
            found.retain(|label| !labels.contains(label));
        }
        distinct(found)
    }

    /// Its accesses that are in no reduction.
    pub(super) fn own_accesses(&self) -> Vec<&Operand<'c>> {
        match self {
            Expr::Access(access) => vec![access],
            Expr::Reduce { .. } => Vec::new(),
            _ => self.children().into_iter().flat_map(Expr::own_accesses).collect(),
        }
    }

    /// The labels and the bodies of the reductions in it that are in no other.
    pub(super) fn outermost_sums(&self) -> Vec<(&[usize], &Expr<'c>)> {
        match self {
            Expr::Reduce { labels, body, .. } => vec![(labels, body)],
            _ => self.children().into_iter().flat_map(Expr::outermost_sums).collect(),
        }
    }

    /// The labels of each reduction in it, outer ones first.
    pub(super) fn reductions(&self) -> Vec<&[usize]> {
        let mut found = match self {
            Expr::Reduce { labels, .. } => vec![labels.as_slice()],
            _ => Vec::new(),
        };
        found.extend(self.children().into_iter().flat_map(Expr::reductions));
        found
    }

    /// The labels of each reduction in it whose values come in the order of their coordinates.
    pub(super) fn ordered_reductions(&self) -> Vec<Vec<usize>> {
        let mut found = match self {
            Expr::Reduce { op, labels, .. } if keeps_order(*op) => vec![labels.clone()],
            _ => Vec::new(),
        };
        found.extend(self.children().into_iter().flat_map(Expr::ordered_reductions));
        found
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Expr::Neg(value) => *value,
            Expr::Reduce { op, labels, body } if op == Reduction::Add => {
                Expr::Reduce { op, labels, body: Box::new(body.negated()) }
            }
            other => Expr::Neg(Box::new(other)),
        }
    }
}
