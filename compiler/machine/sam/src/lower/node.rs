//! An expression while its variables are walked.

use super::build::Out;
use super::statement::{Access, Expression, Statement};
use crate::graph::{
    Element, Function, GraphLevel, Kept, Merge, Operator, Reduction, StreamKind, TensorFormat,
};
use std::collections::VecDeque;

/// An expression whose accesses have streams as far as the walk has come.
#[derive(Clone, Debug)]
pub(super) enum ValueNode {
    Leaf(Leaf),
    Apply(Function, Box<ValueNode>),
    Combine(Merge, Operator, Box<ValueNode>, Box<ValueNode>),
    /// The reduction over a variable that has not come yet.
    Sum(Reduction, String, Box<ValueNode>),
    /// A value where a mask lets it through.
    Mask(Kept, Box<ValueNode>, Leaf),
}

/// A stream of values.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueStream {
    pub(super) out: Out,
    pub(super) element: Element,
}

/// What has a stream.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// What reports call it.
    pub(super) name: String,
    /// What its values are.
    pub(super) element: Element,
    /// References, or values behind a reduction; none at a tensor's root.
    pub(super) stream: Option<Out>,
    pub(super) rest: Rest,
    /// Whether it may have nothing at coordinates that others have brought, where patterns unite.
    pub(super) may_miss: bool,
    /// Whether it may have nothing at its own coordinates: there was nothing to reduce or to locate.
    pub(super) may_lack: bool,
    /// Whether the loops inside of tiles have begun.
    pub(super) is_in_tile: bool,
}

/// What a leaf has inside.
#[derive(Clone, Debug)]
pub(super) enum Rest {
    /// The levels of a tensor from this one on.
    Levels { access: Access, level: usize },
    /// The coordinates of a reduced value, the outermost first.
    Reduced { crds: VecDeque<(String, Out)> },
}

impl ValueNode {
    /// The value of a statement. Reductions of one kind right inside each other come in dataflow order.
    pub(super) fn new(statement: &Statement, value: &Expression) -> Self {
        match value {
            Expression::Access(access) => Self::Leaf(Leaf::new(statement, access)),
            Expression::Apply(function, value) => {
                Self::Apply(*function, Box::new(Self::new(statement, value)))
            }
            Expression::Combine(how, operator, a, b) => {
                let (a, b) = (Self::new(statement, a), Self::new(statement, b));
                Self::Combine(*how, *operator, Box::new(a), Box::new(b))
            }
            Expression::Reduce(reduction, ..) => {
                let (mut reduced, mut body) = (Vec::new(), value);
                while let Expression::Reduce(inner, var, value) = body
                    && inner == reduction
                {
                    reduced.push(var);
                    body = value;
                }
                reduced.sort_by_key(|var| statement.order.iter().position(|other| other == *var));
                let body = Self::new(statement, body);
                let sum = |body, var: &String| Self::Sum(*reduction, var.clone(), Box::new(body));
                reduced.into_iter().rfold(body, sum)
            }
            Expression::Mask { value, mask, complement } => {
                let levels = &statement.tensors[mask.tensor].levels;
                let kept = match (levels.iter().all(|level| *level == GraphLevel::Dense), complement) {
                    (false, false) => Kept::Stored,
                    (false, true) => Kept::NotStored,
                    (true, false) => Kept::NotZero,
                    (true, true) => Kept::Zero,
                };
                Self::Mask(kept, Box::new(Self::new(statement, value)), Leaf::new(statement, mask))
            }
        }
    }

    /// The streams that a reduction has become.
    pub(super) fn reduced(crds: Vec<(String, Out)>, value: ValueStream, may_lack: bool) -> Self {
        let (name, stream) = ("sum".to_owned(), Some(value.out));
        let rest = Rest::Reduced { crds: crds.into() };
        let is_in_tile = false;
        Self::Leaf(Leaf { name, element: value.element, stream, rest, may_miss: false, may_lack, is_in_tile })
    }

    pub(super) fn is_sum_over(&self, var: &str) -> bool {
        matches!(self, Self::Sum(_, summed, _) if summed == var)
    }

    /// What is reduced, and how; it is to be replaced by its streams.
    pub(super) fn take_body(&mut self) -> (Reduction, Self) {
        let Self::Sum(reduction, _, body) = self else { unreachable!("only sums are closed") };
        let (name, rest) = (String::new(), Rest::Reduced { crds: VecDeque::new() });
        let (element, may_miss, may_lack, is_in_tile) = (Element::F64, false, false, false);
        let nothing = Leaf { name, element, stream: None, rest, may_miss, may_lack, is_in_tile };
        (*reduction, std::mem::replace(body, Self::Leaf(nothing)))
    }

    /// The sums over a variable that are outside of all other sums over it, and for each whether what it
    /// reduces is there wherever coordinates have come together. `is_there`: whether the node is.
    pub(super) fn sums_mut(&mut self, var: &str, is_there: bool) -> Vec<(&mut ValueNode, bool)> {
        match self {
            Self::Sum(_, summed, body) if summed == var => {
                let is_there = body.is_there(is_there);
                vec![(self, is_there)]
            }
            Self::Sum(_, _, body) | Self::Apply(_, body) | Self::Mask(_, body, _) => {
                body.sums_mut(var, is_there)
            }
            Self::Combine(how, _, a, b) => {
                let is_there = is_there && *how == Merge::Intersect;
                let mut sums = a.sums_mut(var, is_there);
                sums.extend(b.sums_mut(var, is_there));
                sums
            }
            Self::Leaf(_) => Vec::new(),
        }
    }

    /// Whether any leaf has the variable, or a sum binds it.
    pub(super) fn uses(&self, var: &str) -> bool {
        match self {
            Self::Leaf(leaf) => leaf.uses(var),
            Self::Apply(_, value) => value.uses(var),
            Self::Combine(_, _, a, b) => a.uses(var) || b.uses(var),
            Self::Sum(_, summed, body) => summed == var || body.uses(var),
            Self::Mask(_, value, mask) => value.uses(var) || mask.uses(var),
        }
    }

    /// Whether there is something wherever coordinates have come together. `is_there`: they are those of the
    /// pattern, in which nothing but intersections is around the node.
    pub(super) fn is_there(&self, is_there: bool) -> bool {
        match self {
            Self::Leaf(leaf) => leaf.is_there(),
            Self::Apply(_, value) | Self::Sum(_, _, value) => value.is_there(is_there),
            Self::Combine(Merge::Intersect, _, a, b) => a.is_there(is_there) && b.is_there(is_there),
            Self::Combine(Merge::Union, _, a, b) => {
                let is_one = a.is_there(false) || b.is_there(false);
                is_one || is_there && !a.may_lack() && !b.may_lack()
            }
            Self::Mask(Kept::Stored, value, mask) => value.is_there(is_there) && mask.is_there(),
            Self::Mask(..) => false,
        }
    }

    /// Whether something may be missing at coordinates that it has itself.
    fn may_lack(&self) -> bool {
        match self {
            Self::Leaf(leaf) => leaf.may_lack,
            Self::Apply(_, value) | Self::Sum(_, _, value) => value.may_lack(),
            Self::Combine(_, _, a, b) => a.may_lack() || b.may_lack(),
            Self::Mask(Kept::Stored, value, mask) => value.may_lack() || mask.may_lack,
            Self::Mask(..) => true,
        }
    }

    /// All leaves.
    pub(super) fn leaves_mut(&mut self) -> Vec<&mut Leaf> {
        match self {
            Self::Leaf(leaf) => vec![leaf],
            Self::Apply(_, value) | Self::Sum(_, _, value) => value.leaves_mut(),
            Self::Combine(_, _, a, b) => a.leaves_mut().into_iter().chain(b.leaves_mut()).collect(),
            Self::Mask(_, value, mask) => value.leaves_mut().into_iter().chain([mask]).collect(),
        }
    }
}

impl Leaf {
    fn new(statement: &Statement, access: &Access) -> Self {
        let format = &statement.tensors[access.tensor];
        let rest = Rest::Levels { access: access.clone(), level: 0 };
        let (name, element) = (format.name.clone(), format.element);
        Self { name, element, stream: None, rest, may_miss: false, may_lack: false, is_in_tile: false }
    }

    /// What its stream carries.
    pub(super) fn carries(&self) -> StreamKind {
        match self.rest {
            Rest::Levels { .. } => StreamKind::Ref,
            Rest::Reduced { .. } => StreamKind::Val,
        }
    }

    /// Whether it has something wherever coordinates have come together.
    pub(super) fn is_there(&self) -> bool {
        !self.may_lack && !self.may_miss
    }

    /// Whether its next level is over a variable.
    pub(super) fn is_next(&self, tensors: &[TensorFormat], var: &str) -> bool {
        let Rest::Levels { access, level } = &self.rest else { return false };
        let mode = tensors[access.tensor].order.get(*level);
        mode.is_some_and(|mode| access.indices[*mode] == var)
    }

    /// Goes on with the references into its next level.
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
