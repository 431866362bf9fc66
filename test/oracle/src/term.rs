//! Tensor expressions with their names resolved, and the place and operator of every reduction.

use std::cell::RefCell;
use std::rc::Rc;

use comet_syntax::ast::{BinaryOp, Element, Module, Operator};

use crate::function::FunctionTree;
use crate::number::{TypedNumber, computed, wider};
use crate::own::Combiner;
use crate::part::PlacedIndex;
use crate::tensor::DenseTensor;

/// A tensor that functions can share by reference.
pub(crate) type Shared = Rc<RefCell<DenseTensor>>;

/// An expression over labels, which are numbers here.
#[derive(Clone)]
pub(crate) struct BoundTerm {
    pub(crate) kind: TermKind,
    /// The widest type of its operands.
    pub(crate) element: Element,
    /// Whether it stands in parentheses of its own: a sum that does is one operand of the sum around it.
    pub(crate) grouped: bool,
}

/// The forms of a term.
#[derive(Clone)]
pub(crate) enum TermKind {
    /// A number of the text.
    Written(TypedNumber),
    /// The value of a scalar.
    Constant(TypedNumber),
    /// A nest of functions and comparisons, with whether it stands in `stored`.
    Elementwise { nest: FunctionTree, is_stored: bool },
    /// `stored(x)`, inside of which nothing is reduced.
    Opaque(Box<BoundTerm>),
    /// `drop(x, condition)`.
    Dropped { value: Box<BoundTerm>, condition: FunctionTree },
    /// An element of a tensor.
    Access { tensor: Shared, indices: Vec<PlacedIndex> },
    /// `-x`.
    Neg(Box<BoundTerm>),
    /// `x op y`.
    Binary { op: Combination, left: Box<BoundTerm>, right: Box<BoundTerm> },
    /// The reduction over one label, or over several whose values come one after another.
    Reduce { op: Combiner, labels: Vec<usize>, body: Box<BoundTerm> },
}

/// An operator of tensor expressions.
#[derive(Clone)]
pub(crate) struct Combination {
    pub(crate) apply: Combiner,
    /// What it does to the patterns.
    pub(crate) patterns: Patterns,
    /// The first operator of `@(reduce, combine)`.
    pub(crate) reduce: Option<Combiner>,
}

/// What becomes of two patterns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patterns {
    /// `+`, `-`.
    Unite,
    Intersect,
}

fn uses_in(nest: &FunctionTree, label: usize) -> usize {
    nest.operands().into_iter().map(|operand| operand.uses(label)).sum()
}

impl Combination {
    /// The operator of the source; none where it is for scalars only.
    pub(crate) fn of(op: BinaryOp, module: &Module) -> Option<Self> {
        let plain = |apply, patterns| Some(Self { apply: Combiner::Built(apply), patterns, reduce: None });
        let patterns = Patterns::Intersect;
        match op {
            BinaryOp::Add => plain(Operator::Add, Patterns::Unite),
            BinaryOp::Sub => plain(Operator::Sub, Patterns::Unite),
            BinaryOp::Mul | BinaryOp::ElementwiseMul => plain(Operator::Mul, Patterns::Intersect),
            BinaryOp::Div => plain(Operator::Div, Patterns::Intersect),
            BinaryOp::Monoid(apply) => {
                Some(Self { apply: Combiner::of(apply, module)?, patterns, reduce: None })
            }
            BinaryOp::Semiring(reduce, apply) => {
                let [reduce, apply] = [reduce, apply].map(|operator| Combiner::of(operator, module));
                Some(Self { apply: apply?, patterns, reduce: Some(reduce?) })
            }
            _ => None,
        }
    }
}

impl BoundTerm {
    fn new(kind: TermKind, element: Element) -> Self {
        Self { kind, element, grouped: false }
    }

    pub(crate) fn constant(value: TypedNumber) -> Self {
        Self::new(TermKind::Constant(value), value.element())
    }

    pub(crate) fn written(value: TypedNumber) -> Self {
        Self::new(TermKind::Written(value), value.element())
    }

    pub(crate) fn elementwise(nest: FunctionTree, is_stored: bool) -> Self {
        let element = nest.element();
        Self::new(TermKind::Elementwise { nest, is_stored }, element)
    }

    pub(crate) fn opaque(value: Self) -> Self {
        let element = value.element;
        Self::new(TermKind::Opaque(Box::new(value)), element)
    }

    pub(crate) fn dropped(value: Self, condition: FunctionTree) -> Self {
        let element = value.element;
        Self::new(TermKind::Dropped { value: Box::new(value), condition }, element)
    }

    pub(crate) fn access(tensor: Shared, indices: Vec<PlacedIndex>) -> Self {
        let element = computed(tensor.borrow().element);
        Self::new(TermKind::Access { tensor, indices }, element)
    }

    pub(crate) fn neg(inner: Self) -> Self {
        let element = inner.element;
        Self::new(TermKind::Neg(Box::new(inner)), element)
    }

    pub(crate) fn binary(op: Combination, left: Self, right: Self) -> Self {
        let element = op.apply.element().unwrap_or(wider(left.element, right.element));
        let element = op.reduce.as_ref().and_then(Combiner::element).unwrap_or(element);
        Self::new(TermKind::Binary { op, left: Box::new(left), right: Box::new(right) }, element)
    }

    pub(crate) fn reduce(op: Combiner, labels: Vec<usize>, body: Self) -> Self {
        let element = op.element().unwrap_or(body.element);
        Self::new(TermKind::Reduce { op, labels, body: Box::new(body) }, element)
    }

    /// The labels in it, each once, in the order of the text.
    pub(crate) fn labels(&self) -> Vec<usize> {
        let of_all = |terms: Vec<&Self>| terms.into_iter().flat_map(Self::labels).collect::<Vec<_>>();
        let found = match &self.kind {
            TermKind::Constant(_) | TermKind::Written(_) => Vec::new(),
            TermKind::Elementwise { nest, .. } => of_all(nest.operands()),
            TermKind::Opaque(inner) | TermKind::Neg(inner) | TermKind::Reduce { body: inner, .. } => {
                inner.labels()
            }
            TermKind::Dropped { value, condition } => [value.labels(), of_all(condition.operands())].concat(),
            TermKind::Access { indices, .. } => indices.iter().filter_map(|index| index.label).collect(),
            TermKind::Binary { left, right, .. } => [left.labels(), right.labels()].concat(),
        };
        let mut labels = Vec::new();
        found.into_iter().for_each(|label| {
            if !labels.contains(&label) {
                labels.push(label)
            }
        });
        labels
    }

    /// How often a label stands in it.
    pub(crate) fn uses(&self, label: usize) -> usize {
        match &self.kind {
            TermKind::Constant(_) | TermKind::Written(_) => 0,
            TermKind::Elementwise { nest, .. } => uses_in(nest, label),
            TermKind::Opaque(value) => value.uses(label),
            TermKind::Dropped { value, condition } => value.uses(label) + uses_in(condition, label),
            TermKind::Access { indices, .. } => {
                indices.iter().filter(|index| index.label == Some(label)).count()
            }
            TermKind::Neg(inner) | TermKind::Reduce { body: inner, .. } => inner.uses(label),
            TermKind::Binary { left, right, .. } => left.uses(label) + right.uses(label),
        }
    }

    /// Whether it is a sum or a difference.
    pub(crate) fn is_sum(&self) -> bool {
        matches!(&self.kind, TermKind::Binary { op, .. } if op.patterns == Patterns::Unite)
    }

    /// Whether the left operand of a sum belongs to the same sum: `a + b` in `a + b + c`, but not in `(a + b)
    /// + c`.
    pub(crate) fn continues_sum(&self) -> bool {
        self.is_sum() && !self.grouped
    }
}
