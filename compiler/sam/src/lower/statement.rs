//! A statement as the lowering takes it.

use crate::graph::{Operator, TensorFormat};
use std::fmt;

/// `result = value`, computed in a given order of the index variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The tensors: the result first. Names are unique.
    pub tensors: Vec<TensorFormat>,
    /// All index variables, the outermost first.
    pub order: Vec<String>,
    /// What is written; its tensor is the first.
    pub result: Access,
    /// What is computed.
    pub value: Expression,
    /// What the elements of a dense result hold that nothing is written to: 0, or the identity of the
    /// reduction.
    pub fill: f64,
}

/// A tensor at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Which of the statement's tensors.
    pub tensor: usize,
    /// An index variable for each mode.
    pub indices: Vec<String>,
}

/// An expression. The patterns of operands meet as its operators say: products intersect, sums unite.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A tensor's element.
    Access(Access),
    /// Two values in one.
    Combine(Operator, Box<Expression>, Box<Expression>),
    /// The sum over an index variable.
    Sum(String, Box<Expression>),
}

/// What cannot be lowered, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What was found.
    pub message: String,
    /// A way out.
    pub hint: Option<String>,
}

impl Refusal {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

impl Statement {
    /// Whether the levels of every access come in the order of the variables.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        self.check_access(&self.result)?;
        self.value.accesses().into_iter().try_for_each(|access| self.check_access(access))
    }

    fn check_access(&self, access: &Access) -> Result<(), Refusal> {
        let format = &self.tensors[access.tensor];
        let place = |mode: &usize| self.order.iter().position(|var| *var == access.indices[*mode]);
        let places: Vec<usize> = format.order.iter().filter_map(place).collect();
        let is_concordant = places.len() == access.indices.len() && places.is_sorted_by(|a, b| a < b);
        if is_concordant {
            return Ok(());
        }
        let (name, order) = (&format.name, self.order.join(", "));
        let levels: Vec<&str> = format.order.iter().map(|&mode| access.indices[mode].as_str()).collect();
        Err(Refusal::new(format!(
            "the levels of `{name}` are over {}, and the dataflow order is {order}",
            levels.join(", ")
        ))
        .hint(format!("store `{name}` in the order of the variables, or change the order")))
    }
}

impl Expression {
    /// All accesses, in the order of the text.
    pub fn accesses(&self) -> Vec<&Access> {
        match self {
            Self::Access(access) => vec![access],
            Self::Combine(_, a, b) => [a.accesses(), b.accesses()].concat(),
            Self::Sum(_, body) => body.accesses(),
        }
    }
}
