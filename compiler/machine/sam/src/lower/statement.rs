//! A statement as the lowering takes it.

use crate::graph::{Element, Function, GraphLevel, Merge, Operator, Reduction, TensorFormat};
use std::collections::BTreeSet;
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
    /// The elements of a dense result that nothing is written to hold the identity of this: 0 of a sum.
    pub fill: Reduction,
    /// Whether they hold what they held before instead. The result is dense then.
    pub keeps: bool,
}

/// A tensor at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Which of the statement's tensors.
    pub tensor: usize,
    /// An index variable for each mode.
    pub indices: Vec<String>,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A tensor's element; those of rank 0 are scalars and numbers.
    Access(Access),
    /// A function of a value.
    Apply(Function, Box<Expression>),
    /// Two values of one type in one. The patterns of operands meet as is said; where they unite, an operand
    /// that is missing counts as 0.
    Combine(Merge, Operator, Box<Expression>, Box<Expression>),
    /// The values over an index variable in one.
    Reduce(Reduction, String, Box<Expression>),
    /// A value where the tensor of the mask is stored (a dense one: where it is not 0), or where it is not.
    Mask {
        /// The value.
        value: Box<Expression>,
        /// What is looked at.
        mask: Access,
        /// Where it is not stored.
        complement: bool,
    },
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
    /// Whether the statement is well formed, and operands are stored in the order of the variables. The
    /// result need not be.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        self.value.check_elements(&self.tensors)?;
        let [result, value] = [&Expression::Access(self.result.clone()), &self.value]
            .map(|expression| expression.element(&self.tensors));
        if result != value {
            return Err(two_elements("the result and its value", result, value));
        }
        self.check_indices()?;
        let TensorFormat { name, levels, .. } = &self.tensors[self.result.tensor];
        let are_dense = levels.iter().all(|level| *level == GraphLevel::Dense);
        if self.keeps && (levels.is_empty() || !are_dense) {
            return Err(Refusal::new(format!(
                "`{name}` keeps elements, and not all of its levels are dense"
            ))
            .hint("give all levels of the result as dense"));
        }
        self.value.accesses().into_iter().try_for_each(|access| self.check_access(access))
    }

    /// Whether the order has all variables, and the result those that no reduction binds.
    fn check_indices(&self) -> Result<(), Refusal> {
        let results: BTreeSet<&str> = self.result.indices.iter().map(String::as_str).collect();
        let bound = self.value.bound_indices();
        if let Some(index) =
            (&results | &bound).iter().find(|index| !self.order.iter().any(|var| var == *index))
        {
            let order = self.order.join(", ");
            return Err(Refusal::new(format!("the dataflow order is {order}, without `{index}`"))
                .hint(format!("give `{index}` a place in the order")));
        }
        match self.value.free_indices().iter().find(|index| !results.contains(*index)) {
            Some(index) => Err(Refusal::new(format!("the result lacks `{index}`, and nothing reduces it"))
                .hint(format!("reduce over `{index}`"))),
            None => Ok(()),
        }
    }

    /// A level that repeats a variable may come anywhere behind the first.
    fn check_access(&self, access: &Access) -> Result<(), Refusal> {
        let format = &self.tensors[access.tensor];
        let levels: Vec<&str> = format.order.iter().map(|&mode| access.indices[mode].as_str()).collect();
        let is_first = |(level, index): (usize, &&str)| !levels[..level].contains(index);
        let firsts = levels.iter().enumerate().filter(|level| is_first(*level));
        let places = firsts.map(|(_, index)| self.order.iter().position(|var| var == index));
        if places.is_sorted_by(|a, b| a < b) {
            return Ok(());
        }
        let (name, order) = (&format.name, self.order.join(", "));
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
            Self::Apply(_, value) => value.accesses(),
            Self::Combine(_, _, a, b) => [a.accesses(), b.accesses()].concat(),
            Self::Reduce(_, _, body) => body.accesses(),
            Self::Mask { value, mask, .. } => [value.accesses(), vec![mask]].concat(),
        }
    }

    /// The index variables of what it becomes: those that no reduction binds.
    pub(super) fn free_indices(&self) -> BTreeSet<&str> {
        match self {
            Self::Access(access) => access.indices.iter().map(String::as_str).collect(),
            Self::Apply(_, value) => value.free_indices(),
            Self::Combine(_, _, a, b) => &a.free_indices() | &b.free_indices(),
            Self::Reduce(_, index, body) => &body.free_indices() - &BTreeSet::from([index.as_str()]),
            Self::Mask { value, mask, .. } => {
                &value.free_indices() | &mask.indices.iter().map(String::as_str).collect()
            }
        }
    }

    /// The index variables of its reductions.
    fn bound_indices(&self) -> BTreeSet<&str> {
        match self {
            Self::Access(_) => BTreeSet::new(),
            Self::Apply(_, value) | Self::Mask { value, .. } => value.bound_indices(),
            Self::Combine(_, _, a, b) => &a.bound_indices() | &b.bound_indices(),
            Self::Reduce(_, index, body) => &body.bound_indices() | &BTreeSet::from([index.as_str()]),
        }
    }

    /// The type of the value.
    pub fn element(&self, tensors: &[TensorFormat]) -> Element {
        match self {
            Self::Access(access) => tensors[access.tensor].element,
            Self::Apply(function, value) => function.result(value.element(tensors)),
            Self::Combine(_, _, value, _) | Self::Reduce(_, _, value) | Self::Mask { value, .. } => {
                value.element(tensors)
            }
        }
    }

    /// Whether operands have one type wherever they meet.
    fn check_elements(&self, tensors: &[TensorFormat]) -> Result<(), Refusal> {
        match self {
            Self::Access(_) => Ok(()),
            Self::Apply(_, value) | Self::Reduce(_, _, value) | Self::Mask { value, .. } => {
                value.check_elements(tensors)
            }
            Self::Combine(_, operator, a, b) => {
                a.check_elements(tensors)?;
                b.check_elements(tensors)?;
                let (a, b) = (a.element(tensors), b.element(tensors));
                if a == b {
                    return Ok(());
                }
                Err(two_elements(operator.name(), a, b))
            }
        }
    }
}

fn two_elements(what: &str, a: Element, b: Element) -> Refusal {
    let (a, b) = (a.name(), b.name());
    Refusal::new(format!("{what}: the operands are {a} and {b}, expected one type"))
        .hint("convert one of them")
}
