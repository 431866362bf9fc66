//! An expression while its variables are walked.

use super::build::Out;
use super::statement::{Access, Expression, Refusal, Statement};
use crate::graph::{Element, Function, How, Operator, Reduction, StreamKind};
use std::collections::VecDeque;

/// An expression whose accesses have streams as far as the walk has come.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Leaf(Leaf),
    Apply(Function, Box<Node>),
    Combine(How, Operator, Box<Node>, Box<Node>),
    /// The reduction over a variable that has not come yet.
    Sum(Reduction, String, Box<Node>),
}

/// A stream of values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values {
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
    /// The value of a statement. Reductions of one kind right inside each other come in dataflow order.
    pub(super) fn new(statement: &Statement, value: &Expression) -> Result<Self, Refusal> {
        Ok(match value {
            Expression::Access(access) => {
                let format = &statement.tensors[access.tensor];
                Self::Leaf(Leaf {
                    name: format.name.clone(),
                    element: format.element,
                    stream: None,
                    rest: Rest::Levels { access: access.clone(), level: 0 },
                })
            }
            Expression::Apply(function, value) => {
                Self::Apply(*function, Box::new(Self::new(statement, value)?))
            }
            Expression::Combine(How::Union, operator, ..) if !operator.unites() => {
                return Err(Refusal::new(format!(
                    "not supported yet: `{}` where either of its operands is stored",
                    operator.name()
                ))
                .hint("only sums and differences unite the patterns of their operands"));
            }
            Expression::Combine(how, operator, a, b) => {
                let (a, b) = (Self::new(statement, a)?, Self::new(statement, b)?);
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
                let body = Self::new(statement, body)?;
                let sum = |body, var: &String| Self::Sum(*reduction, var.clone(), Box::new(body));
                reduced.into_iter().rfold(body, sum)
            }
            Expression::Mask { mask, .. } => {
                let name = &statement.tensors[mask.tensor].name;
                return Err(Refusal::new(format!("not supported yet: the mask `{name}`")));
            }
        })
    }

    /// The streams that a reduction has become.
    pub(super) fn reduced(crds: Vec<(String, Out)>, value: Values, may_be_empty: bool) -> Self {
        let rest = Rest::Reduced { crds: crds.into(), may_be_empty };
        let Values { out, element } = value;
        Self::Leaf(Leaf { name: "sum".to_owned(), element, stream: Some(out), rest })
    }

    pub(super) fn is_sum_over(&self, var: &str) -> bool {
        matches!(self, Self::Sum(_, summed, _) if summed == var)
    }

    /// What is reduced, and how; it is to be replaced by its streams.
    pub(super) fn take_body(&mut self) -> (Reduction, Self) {
        let Self::Sum(reduction, _, body) = self else { unreachable!("only sums are closed") };
        let rest = Rest::Reduced { crds: VecDeque::new(), may_be_empty: false };
        let nothing = Leaf { name: String::new(), element: Element::F64, stream: None, rest };
        (*reduction, std::mem::replace(body, Self::Leaf(nothing)))
    }

    /// The sums over a variable that are outside of all other sums over it.
    pub(super) fn sums_mut(&mut self, var: &str) -> Vec<&mut Node> {
        match self {
            Self::Sum(_, summed, _) if summed == var => vec![self],
            Self::Sum(_, _, body) | Self::Apply(_, body) => body.sums_mut(var),
            Self::Combine(_, _, a, b) => {
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
            Self::Apply(_, value) => value.uses(var),
            Self::Combine(_, _, a, b) => a.uses(var) || b.uses(var),
            Self::Sum(_, summed, body) => summed == var || body.uses(var),
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
