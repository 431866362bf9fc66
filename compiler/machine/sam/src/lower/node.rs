//! An expression while its variables are walked.

use super::build::Out;
use super::statement::{IndexAccess, IndexExpression, IndexStatement};
use crate::graph::{Element, Kept, Merge, REDUCED, Reduction, StreamKind, TensorFormat};
use std::collections::VecDeque;

/// An expression whose accesses have streams as far as the walk has come. Reductions are those over variables
/// that have not come yet.
pub(super) type ValueNode = IndexExpression<Leaf>;

/// Whether coordinates have come together only where the pattern of an expression has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Coverage {
    Exact,
    /// Also at others, where something may be missing.
    #[default]
    Wider,
}

impl Coverage {
    /// Returns the coverage of the operands of a merge: in a union an operand may be missing.
    pub(super) fn inside(self, how: Merge) -> Self {
        if how == Merge::Intersect { self } else { Self::Wider }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ValueStream {
    pub(super) out: Out,
    pub(super) element: Element,
}

#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) name: String,
    pub(super) element: Element,
    /// References, or values behind a reduction; none at a tensor's root.
    pub(super) stream: Option<Out>,
    pub(super) rest: Rest,
    /// Whether it may have nothing at coordinates that others have brought, where patterns unite.
    pub(super) may_miss: bool,
    /// Whether it may have nothing at its own coordinates: there was nothing to reduce or to locate.
    pub(super) may_lack: bool,
    pub(super) is_in_tile: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Rest {
    Levels { access: IndexAccess, level: usize },
    Reduced { crds: VecDeque<(String, Out)> },
}

impl ValueNode {
    /// Returns the value of a statement. Reductions of one kind right inside each other come in dataflow
    /// order, and masks that are dense are looked at by their values.
    pub(super) fn new(statement: &IndexStatement) -> Self {
        let node = statement.value.map(&|access| Leaf::new(statement, access), &String::clone);
        node.prepared(statement)
    }

    fn prepared(self, statement: &IndexStatement) -> Self {
        match self.with_parts(&|part| part.prepared(statement)) {
            Self::Reduce(reduction, var, body) => Self::reduced_over(reduction, var, *body, &statement.order),
            Self::Mask(kept, value, mask) if mask.is_dense(statement) => {
                let kept = if kept == Kept::Stored { Kept::NotZero } else { Kept::Zero };
                Self::Mask(kept, value, mask)
            }
            other => other,
        }
    }

    /// Returns a reduction of a body whose own are in order.
    fn reduced_over(reduction: Reduction, var: String, body: Self, order: &[String]) -> Self {
        let place = |var: &String| order.iter().position(|other| other == var);
        match body {
            Self::Reduce(inner, next, rest) if inner == reduction && place(&next) < place(&var) => {
                let rest = Self::reduced_over(reduction, var, *rest, order);
                Self::Reduce(reduction, next, Box::new(rest))
            }
            body => Self::Reduce(reduction, var, Box::new(body)),
        }
    }

    pub(super) fn is_sum_over(&self, var: &str) -> bool {
        matches!(self, Self::Reduce(_, summed, _) if summed == var)
    }

    /// Takes what is reduced, and how; the reduction is to be replaced by its streams.
    pub(super) fn take_body(&mut self) -> (Reduction, Self) {
        let Self::Reduce(reduction, _, body) = self else { unreachable!("only sums are closed") };
        let rest = Rest::Reduced { crds: VecDeque::new() };
        let nothing = Leaf::at(String::new(), Element::F64, None, rest);
        (*reduction, std::mem::replace(body, Self::Access(nothing)))
    }

    /// Returns the sums over a variable that are outside of all other sums over it, and for each the coverage
    /// inside of it.
    pub(super) fn sums_mut(&mut self, var: &str, coverage: Coverage) -> Vec<(&mut ValueNode, Coverage)> {
        match self {
            Self::Reduce(_, summed, body) if summed == var => {
                let inside = body.coverage(coverage);
                vec![(self, inside)]
            }
            Self::Reduce(_, _, body) | Self::Apply(_, body) | Self::Mask(_, body, _) => {
                body.sums_mut(var, coverage)
            }
            Self::Combine(how, _, a, b) => {
                let coverage = coverage.inside(*how);
                let mut sums = a.sums_mut(var, coverage);
                sums.extend(b.sums_mut(var, coverage));
                sums
            }
            Self::Drop(value, condition) => {
                let coverage = coverage.inside(Merge::Union);
                let mut sums = value.sums_mut(var, coverage);
                sums.extend(condition.sums_mut(var, coverage));
                sums
            }
            Self::Access(_) => Vec::new(),
        }
    }

    pub(super) fn uses(&self, var: &str) -> bool {
        self.any(&|node| node.is_sum_over(var)) || self.accesses().into_iter().any(|leaf| leaf.uses(var))
    }

    pub(super) fn coverage(&self, around: Coverage) -> Coverage {
        if self.is_there(around) { Coverage::Exact } else { Coverage::Wider }
    }

    /// Returns whether there is something wherever coordinates have come together. Around an exact node there
    /// are only intersections.
    pub(super) fn is_there(&self, around: Coverage) -> bool {
        match self {
            Self::Access(leaf) => leaf.is_there(),
            Self::Apply(_, value) | Self::Reduce(_, _, value) => value.is_there(around),
            Self::Combine(Merge::Intersect, _, a, b) => a.is_there(around) && b.is_there(around),
            Self::Combine(Merge::Union, _, a, b) => {
                let is_one = a.is_there(Coverage::Wider) || b.is_there(Coverage::Wider);
                is_one || around == Coverage::Exact && !a.may_lack() && !b.may_lack()
            }
            Self::Mask(kept, value, mask) => {
                *kept == Kept::Stored && value.is_there(around) && mask.is_there()
            }
            Self::Drop(..) => false,
        }
    }

    fn may_lack(&self) -> bool {
        match self {
            Self::Access(leaf) => leaf.may_lack,
            Self::Mask(kept, value, mask) => *kept != Kept::Stored || value.may_lack() || mask.may_lack,
            Self::Drop(..) => true,
            _ => self.parts().into_iter().any(Self::may_lack),
        }
    }

    pub(super) fn leaves_mut(&mut self) -> Vec<&mut Leaf> {
        match self {
            Self::Access(leaf) => vec![leaf],
            Self::Apply(_, value) | Self::Reduce(_, _, value) => value.leaves_mut(),
            Self::Combine(_, _, a, b) | Self::Drop(a, b) => {
                a.leaves_mut().into_iter().chain(b.leaves_mut()).collect()
            }
            Self::Mask(_, value, mask) => value.leaves_mut().into_iter().chain([mask]).collect(),
        }
    }
}

impl Leaf {
    fn new(statement: &IndexStatement, access: &IndexAccess) -> Self {
        let format = &statement.tensors[access.tensor];
        let rest = Rest::Levels { access: access.clone(), level: 0 };
        Self::at(format.name.clone(), format.element, None, rest)
    }

    /// Returns the streams that a reduction has become: its coordinates and values.
    pub(super) fn reduced(crds: Vec<(String, Out)>, element: Element, value: Out) -> Self {
        Self::at(REDUCED.to_owned(), element, Some(value), Rest::Reduced { crds: crds.into() })
    }

    fn at(name: String, element: Element, stream: Option<Out>, rest: Rest) -> Self {
        Self { name, element, stream, rest, may_miss: false, may_lack: false, is_in_tile: false }
    }

    fn is_dense(&self, statement: &IndexStatement) -> bool {
        matches!(&self.rest, Rest::Levels { access, .. } if statement.tensors[access.tensor].is_dense())
    }

    pub(super) fn carries(&self) -> StreamKind {
        match self.rest {
            Rest::Levels { .. } => StreamKind::Ref,
            Rest::Reduced { .. } => StreamKind::Val,
        }
    }

    pub(super) fn is_there(&self) -> bool {
        !self.may_lack && !self.may_miss
    }

    pub(super) fn is_next(&self, tensors: &[TensorFormat], var: &str) -> bool {
        let Rest::Levels { access, level } = &self.rest else { return false };
        let mode = tensors[access.tensor].order.get(*level);
        mode.is_some_and(|mode| access.indices[*mode] == var)
    }

    pub(super) fn goes_in(&mut self, references: Out) {
        self.stream = Some(references);
        if let Rest::Levels { level, .. } = &mut self.rest {
            *level += 1;
        }
    }

    /// Whether a variable, if it has that, is the one of its first level: all of its fibers are the same.
    pub(super) fn is_at_root(&self, var: &str) -> bool {
        !self.uses(var) || matches!(self.rest, Rest::Levels { level: 0, .. })
    }

    fn uses(&self, var: &str) -> bool {
        match &self.rest {
            Rest::Levels { access, .. } => access.indices.iter().any(|index| index == var),
            Rest::Reduced { crds, .. } => crds.iter().any(|(index, _)| index == var),
        }
    }
}
