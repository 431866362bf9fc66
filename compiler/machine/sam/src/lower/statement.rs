//! A statement as the lowering takes it.

use crate::graph::{Element, Function, Kept, Merge, Operator, Reduction, TensorFormat};
use crate::named::Named as _;
use std::collections::BTreeSet;

/// `result = value`, computed in a given order of the index variables.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexStatement {
    /// The tensors: the result first. Names are unique.
    pub tensors: Vec<TensorFormat>,
    /// All index variables, the outermost first.
    pub order: Vec<String>,
    /// What is written; its tensor is the first.
    pub result: IndexAccess,
    pub value: IndexExpression,
    /// The elements of a dense result that nothing is written to hold the identity of this: 0 of a sum.
    pub fill: Reduction,
    /// Whether they hold what they held before instead. The result is dense then.
    pub keeps: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexAccess {
    pub tensor: usize,
    pub indices: Vec<String>,
}

/// An expression over index variables `V`, where `A` stands for a tensor at a point.
#[derive(Clone, Debug, PartialEq)]
pub enum IndexExpression<A = IndexAccess, V = String> {
    /// A tensor's element; those of rank 0 are scalars and numbers.
    Access(A),
    Apply(Function, Box<Self>),
    /// Two values of one type in one. Where the patterns of operands unite, an operand that is missing counts
    /// as 0.
    Combine(Merge, Operator, Box<Self>, Box<Self>),
    /// The values over an index variable in one.
    Reduce(Reduction, V, Box<Self>),
    /// A value where the tensor of the mask is stored, or where it is not. Of a dense tensor what is not 0
    /// counts as stored.
    Mask(Kept, Box<Self>, A),
    /// A value where a condition is 0 or missing.
    Drop(Box<Self>, Box<Self>),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    pub message: String,
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

impl IndexStatement {
    /// Whether the statement is well formed, and operands are stored in the order of the variables. The
    /// result need not be.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        self.value.check_elements(&self.tensors)?;
        let [result, value] = [&IndexExpression::Access(self.result.clone()), &self.value]
            .map(|expression| expression.element_of(&self.tensors));
        if result != value {
            return Err(two_elements("the result and its value", result, value));
        }
        self.check_indices()?;
        let result @ TensorFormat { name, levels, .. } = &self.tensors[self.result.tensor];
        if self.keeps && (levels.is_empty() || !result.is_dense()) {
            return Err(Refusal::new(format!(
                "`{name}` keeps elements, and not all of its levels are dense"
            ))
            .hint("give all levels of the result as dense"));
        }
        self.value.accesses().into_iter().try_for_each(|access| self.check_access(access))
    }

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
    fn check_access(&self, access: &IndexAccess) -> Result<(), Refusal> {
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

impl<A, V> IndexExpression<A, V> {
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Access(_) => Vec::new(),
            Self::Apply(_, part) | Self::Reduce(_, _, part) | Self::Mask(_, part, _) => vec![part],
            Self::Combine(_, _, left, right) | Self::Drop(left, right) => vec![left, right],
        }
    }

    pub fn accesses(&self) -> Vec<&A> {
        match self {
            Self::Access(access) => vec![access],
            Self::Mask(_, value, mask) => value.accesses().into_iter().chain([mask]).collect(),
            _ => self.parts().into_iter().flat_map(Self::accesses).collect(),
        }
    }

    pub fn any(&self, is_it: &dyn Fn(&Self) -> bool) -> bool {
        is_it(self) || self.parts().into_iter().any(|part| part.any(is_it))
    }

    pub fn element(&self, of: &dyn Fn(&A) -> Element) -> Element {
        match self {
            Self::Access(access) => of(access),
            Self::Apply(function, value) => function.result(value.element(of)),
            _ => self.parts()[0].element(of),
        }
    }

    #[must_use]
    pub fn with_parts(self, change: &dyn Fn(Self) -> Self) -> Self {
        let part = |part: Box<Self>| Box::new(change(*part));
        match self {
            Self::Access(access) => Self::Access(access),
            Self::Apply(function, value) => Self::Apply(function, part(value)),
            Self::Combine(how, operator, left, right) => {
                Self::Combine(how, operator, part(left), part(right))
            }
            Self::Reduce(reduction, var, body) => Self::Reduce(reduction, var, part(body)),
            Self::Mask(kept, value, mask) => Self::Mask(kept, part(value), mask),
            Self::Drop(value, condition) => Self::Drop(part(value), part(condition)),
        }
    }

    pub fn map<B, W>(&self, access: &dyn Fn(&A) -> B, var: &dyn Fn(&V) -> W) -> IndexExpression<B, W> {
        let part = |part: &Self| Box::new(part.map(access, var));
        match self {
            Self::Access(own) => IndexExpression::Access(access(own)),
            Self::Apply(function, value) => IndexExpression::Apply(*function, part(value)),
            Self::Combine(how, operator, left, right) => {
                IndexExpression::Combine(*how, *operator, part(left), part(right))
            }
            Self::Reduce(reduction, own, body) => IndexExpression::Reduce(*reduction, var(own), part(body)),
            Self::Mask(kept, value, mask) => IndexExpression::Mask(*kept, part(value), access(mask)),
            Self::Drop(value, condition) => IndexExpression::Drop(part(value), part(condition)),
        }
    }
}

impl IndexExpression {
    /// Returns the index variables of what it becomes: those that no reduction binds.
    pub(super) fn free_indices(&self) -> BTreeSet<&str> {
        let mut free: BTreeSet<&str> = self.parts().into_iter().flat_map(Self::free_indices).collect();
        match self {
            Self::Access(access) | Self::Mask(_, _, access) => {
                free.extend(access.indices.iter().map(String::as_str));
            }
            Self::Reduce(_, index, _) => drop(free.remove(index.as_str())),
            Self::Apply(..) | Self::Combine(..) | Self::Drop(..) => {}
        }
        free
    }

    fn bound_indices(&self) -> BTreeSet<&str> {
        let mut bound: BTreeSet<&str> = self.parts().into_iter().flat_map(Self::bound_indices).collect();
        if let Self::Reduce(_, index, _) = self {
            bound.insert(index);
        }
        bound
    }

    pub fn element_of(&self, tensors: &[TensorFormat]) -> Element {
        self.element(&|access| tensors[access.tensor].element)
    }

    fn check_elements(&self, tensors: &[TensorFormat]) -> Result<(), Refusal> {
        self.parts().into_iter().try_for_each(|part| part.check_elements(tensors))?;
        if let Self::Combine(_, operator, a, b) = self {
            let (a, b) = (a.element_of(tensors), b.element_of(tensors));
            if a != b {
                return Err(two_elements(operator.case_name(), a, b));
            }
        }
        Ok(())
    }
}

fn two_elements(what: &str, a: Element, b: Element) -> Refusal {
    let (a, b) = (a.case_name(), b.case_name());
    Refusal::new(format!("{what}: the operands are {a} and {b}, expected one type"))
        .hint("convert one of them")
}
