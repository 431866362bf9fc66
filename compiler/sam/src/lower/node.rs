//! An expression while its variables are walked.

use super::build::Out;
use super::statement::{Access, Expression, Statement};
use crate::graph::{Operator, StreamKind};
use std::collections::VecDeque;

/// An expression whose accesses have streams as far as the walk has come.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Leaf(Leaf),
    Combine(Operator, Box<Node>, Box<Node>),
    /// The sum over a variable that has not come yet.
    Sum(String, Box<Node>),
}

/// What has a stream.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// What reports call it.
    pub(super) name: String,
    /// References, or values behind a reduction; none at a tensor's root.
    pub(super) stream: Option<Out>,
    pub(super) rest: Rest,
}

/// What a leaf has inside.
#[derive(Clone, Debug)]
pub(super) enum Rest {
    /// The levels of a tensor from this one on.
    Levels { access: Access, level: usize },
    /// The coordinates of a reduced value, the outermost first.
    Reduced {
        crds: VecDeque<(String, Out)>,
        /// Whether there may be nothing at a coordinate around.
        may_be_empty: bool,
    },
}

impl Node {
    /// The value of a statement. Sums right inside each other come in dataflow order.
    pub(super) fn new(statement: &Statement, value: &Expression) -> Self {
        match value {
            Expression::Access(access) => Self::Leaf(Leaf {
                name: statement.tensors[access.tensor].name.clone(),
                stream: None,
                rest: Rest::Levels { access: access.clone(), level: 0 },
            }),
            Expression::Combine(operator, a, b) => {
                let [a, b] = [a, b].map(|side| Box::new(Self::new(statement, side)));
                Self::Combine(*operator, a, b)
            }
            Expression::Sum(..) => {
                let (mut summed, mut body) = (Vec::new(), value);
                while let Expression::Sum(var, inner) = body {
                    summed.push(var);
                    body = inner;
                }
                summed.sort_by_key(|var| statement.order.iter().position(|other| other == *var));
                let body = Self::new(statement, body);
                summed.into_iter().rfold(body, |body, var| Self::Sum(var.clone(), Box::new(body)))
            }
        }
    }

    /// The streams that a sum has become.
    pub(super) fn reduced(crds: Vec<(String, Out)>, value: Out, may_be_empty: bool) -> Self {
        let rest = Rest::Reduced { crds: crds.into(), may_be_empty };
        Self::Leaf(Leaf { name: "sum".to_owned(), stream: Some(value), rest })
    }

    pub(super) fn is_sum_over(&self, var: &str) -> bool {
        matches!(self, Self::Sum(summed, _) if summed == var)
    }

    /// What is summed; it is to be replaced by its streams.
    pub(super) fn take_body(&mut self) -> Self {
        let Self::Sum(_, body) = self else { unreachable!("only sums are closed") };
        let rest = Rest::Reduced { crds: VecDeque::new(), may_be_empty: false };
        std::mem::replace(body, Self::Leaf(Leaf { name: String::new(), stream: None, rest }))
    }

    /// The sums over a variable that are outside of all other sums over it.
    pub(super) fn sums_mut(&mut self, var: &str) -> Vec<&mut Node> {
        match self {
            Self::Sum(summed, _) if summed == var => vec![self],
            Self::Sum(_, body) => body.sums_mut(var),
            Self::Combine(_, a, b) => {
                let mut sums = a.sums_mut(var);
                sums.extend(b.sums_mut(var));
                sums
            }
            Self::Leaf(_) => Vec::new(),
        }
    }

    /// Whether any leaf has the variable, or a sum binds it.
    pub(super) fn uses(&self, var: &str) -> bool {
        match self {
            Self::Leaf(leaf) => leaf.uses(var),
            Self::Combine(_, a, b) => a.uses(var) || b.uses(var),
            Self::Sum(summed, body) => summed == var || body.uses(var),
        }
    }
}

impl Leaf {
    /// What its stream carries.
    pub(super) fn carries(&self) -> StreamKind {
        match self.rest {
            Rest::Levels { .. } => StreamKind::Ref,
            Rest::Reduced { .. } => StreamKind::Val,
        }
    }

    fn uses(&self, var: &str) -> bool {
        match &self.rest {
            Rest::Levels { access, .. } => access.indices.iter().any(|index| index == var),
            Rest::Reduced { crds, .. } => crds.iter().any(|(index, _)| index == var),
        }
    }
}
