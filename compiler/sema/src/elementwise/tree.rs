//! Nests of functions, and which pattern their values have.
//!
//! Before: `max(A[i,j], 0)`, with `A` sparse. After: `A[i,j] @(max) 0`, which is present where `A` is.
//! Before: `cos(A[i,j])`. After: `cos(first(A[i,j], 0))` with `first` uniting the patterns of its operands.

use comet_diag::Span;
use comet_notation::{Arithmetic as _, Complex, ComplexResult, Function};
use comet_syntax::ast::Element;

use crate::program::{Access, Number, Operator, TensorExpr, TensorExprKind, TensorOp};
use crate::scope::TensorInfo;

/// A nest of functions.
#[derive(Clone, PartialEq)]
pub(crate) enum Tree {
    Operand(Box<TensorExpr>),
    Apply(Function, Box<Tree>),
    /// The value as an element of that type stores it.
    Convert(Element, Box<Tree>),
    Binary(Operator, Box<[Tree; 2]>),
}

/// Where a value is present.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Present {
    /// Where all operands are: in `stored(…)`.
    WithAll,
    /// Everywhere, or where one of the sparse operands is.
    ByZeros,
}

pub(super) fn pair(operator: Operator, left: Tree, right: Tree) -> Tree {
    Tree::Binary(operator, Box::new([left, right]))
}

/// `condition` is 0 or 1.
pub(super) fn select(condition: Tree, then: Tree, otherwise: Tree) -> Tree {
    let then = pair(Operator::If, condition.clone(), then);
    pair(Operator::Either, then, pair(Operator::Else, condition, otherwise))
}

pub(super) fn convert(element: Element, value: Tree) -> Tree {
    if value.element() == element && element.computed() == element {
        value
    } else {
        Tree::Convert(element, Box::new(value))
    }
}

/// Integers are rounded already, and real values are their own conjugates.
pub(super) fn apply(function: Function, operand: Tree) -> Tree {
    match function {
        Function::Floor | Function::Ceil | Function::Round if operand.element() == Element::I64 => operand,
        Function::Conj | Function::Real if !operand.element().is_complex() => operand,
        _ => Tree::Apply(function, Box::new(operand)),
    }
}

/// A condition that is 0 or 1.
pub(super) fn boolean(condition: Tree) -> Tree {
    let is_truth = match &condition {
        Tree::Apply(function, _) => *function == Function::IsNan,
        Tree::Binary(operator, _) => operator.is_condition(),
        Tree::Operand(_) | Tree::Convert(..) => false,
    };
    if is_truth {
        return condition;
    }
    let zero = zero(condition.element(), Span::default());
    pair(Operator::Ne, condition, Tree::operand(zero))
}

impl Tree {
    pub(crate) fn operand(operand: TensorExpr) -> Self {
        Self::Operand(Box::new(operand))
    }

    /// The number of the text that it is, with its place. Such a number has no type of its own.
    pub(super) fn as_number(&self) -> Option<(Number, Span)> {
        let Self::Operand(operand) = self else { return None };
        literal(operand).map(|number| (number, operand.span))
    }

    pub(super) fn nodes(&self) -> usize {
        match self {
            Self::Operand(_) => 1,
            Self::Apply(_, operand) | Self::Convert(_, operand) => 1 + operand.nodes(),
            Self::Binary(_, operands) => 1 + operands.iter().map(Self::nodes).sum::<usize>(),
        }
    }

    pub(crate) fn element(&self) -> Element {
        match self {
            Self::Operand(operand) => operand.element,
            Self::Convert(element, _) => element.computed(),
            Self::Apply(Function::IsNan, _) => Element::I64,
            Self::Apply(function, operand) if function.of_complex() == ComplexResult::Real => {
                operand.element().part()
            }
            Self::Apply(function, operand) => match operand.element() {
                Element::I64 if !function.keeps_integers() => Element::F64,
                element => element,
            },
            Self::Binary(operator, _) if operator.is_condition() => Element::I64,
            Self::Binary(Operator::If | Operator::Else, operands) => operands[1].element(),
            Self::Binary(Operator::Complex, operands) => {
                operands[0].element().widest(operands[1].element()).complex()
            }
            Self::Binary(operator, operands) => match operands[0].element().widest(operands[1].element()) {
                Element::I64 if *operator == Operator::Pow => Element::F64,
                element => element,
            },
        }
    }

    fn operands(&self) -> Vec<&TensorExpr> {
        match self {
            Self::Operand(operand) => vec![operand],
            Self::Apply(_, operand) | Self::Convert(_, operand) => operand.operands(),
            Self::Binary(_, operands) => operands.iter().flat_map(Self::operands).collect(),
        }
    }
}

/// Builds the value of a nest of functions.
pub(super) struct Placed<'t> {
    pub(super) tensors: &'t [TensorInfo],
    pub(super) span: Span,
}

impl Placed<'_> {
    pub(super) fn of(&self, tree: &Tree, present: Present) -> TensorExpr {
        if present == Present::WithAll {
            return self.intersected(tree);
        }
        let operands = tree.operands();
        let sparse: Vec<&TensorExpr> =
            operands.into_iter().filter(|operand| !self.is_everywhere(operand)).collect();
        let Some((first, others)) = sparse.split_first() else { return self.united(tree) };
        if self.without_entries(tree).is_none_or(|value| value.is_true()) {
            return self.united(tree);
        }
        if others.iter().all(|other| is_same_access(first, other)) {
            return self.intersected(tree);
        }
        let value = self.united(tree);
        if !self.is_everywhere(&value) {
            return value;
        }
        let entries = others.iter().fold((*first).clone(), |left, right| {
            let element = left.element.widest(right.element);
            self.binary(TensorOp::Add, left, (*right).clone(), element)
        });
        let element = value.element;
        self.binary(TensorOp::Combine(Operator::First), value, entries, element)
    }

    /// The value where all operands are present.
    fn intersected(&self, tree: &Tree) -> TensorExpr {
        match tree {
            Tree::Operand(operand) => (**operand).clone(),
            Tree::Convert(element, value) => self.converted(*element, self.intersected(value)),
            Tree::Apply(function, operand) => self.applied(*function, self.intersected(operand), tree),
            Tree::Binary(operator, operands) => {
                let [left, right] = operands.each_ref().map(|operand| self.intersected(operand));
                self.binary(TensorOp::Combine(*operator), left, right, tree.element())
            }
        }
    }

    /// The value where any operand is present, or everywhere if it is not 0 where none is.
    pub(super) fn united(&self, tree: &Tree) -> TensorExpr {
        match tree {
            Tree::Operand(operand) => (**operand).clone(),
            Tree::Convert(element, value) => self.converted(*element, self.united(value)),
            Tree::Apply(function, operand) => {
                let operand = self.united(operand);
                let operand = if function.keeps_zero() { operand } else { self.everywhere(operand) };
                self.applied(*function, operand, tree)
            }
            Tree::Binary(operator, operands) => {
                let [mut left, right] = operands.each_ref().map(|operand| self.united(operand));
                let keeps_zero = operator.apply(0.0, 0.0) == Some(0.0);
                if !keeps_zero && !self.is_everywhere(&right) {
                    left = self.everywhere(left);
                }
                self.binary(TensorOp::Unite(*operator), left, right, tree.element())
            }
        }
    }

    fn applied(&self, function: Function, operand: TensorExpr, tree: &Tree) -> TensorExpr {
        let kind = TensorExprKind::Apply { function, operand: Box::new(operand) };
        TensorExpr { kind, element: tree.element(), span: self.span, is_grouped: false }
    }

    fn converted(&self, to: Element, value: TensorExpr) -> TensorExpr {
        let kind = TensorExprKind::Convert { to, value: Box::new(value) };
        TensorExpr { kind, element: to.computed(), span: self.span, is_grouped: false }
    }

    pub(super) fn binary(
        &self,
        op: TensorOp,
        left: TensorExpr,
        right: TensorExpr,
        element: Element,
    ) -> TensorExpr {
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = TensorExprKind::Binary { op, reduce: None, left, right };
        TensorExpr { kind, element, span: self.span, is_grouped: true }
    }

    /// The value, and 0 where it is not present.
    pub(super) fn everywhere(&self, value: TensorExpr) -> TensorExpr {
        if self.is_everywhere(&value) {
            return value;
        }
        let (element, span) = (value.element, value.span);
        self.binary(TensorOp::Unite(Operator::First), value, zero(element, span), element)
    }

    fn is_everywhere(&self, value: &TensorExpr) -> bool {
        let is_everywhere = |value: &TensorExpr| self.is_everywhere(value);
        match &value.kind {
            TensorExprKind::Number(_) | TensorExprKind::Scalar(_) => true,
            TensorExprKind::Access(Access { tensor, .. }) => !self.tensors[tensor.0].is_sparse(),
            TensorExprKind::Drop { .. } => false,
            TensorExprKind::Neg(operand)
            | TensorExprKind::Apply { operand, .. }
            | TensorExprKind::Convert { value: operand, .. }
            | TensorExprKind::Elementwise(operand)
            | TensorExprKind::Reduce { body: operand, .. } => is_everywhere(operand),
            TensorExprKind::Binary { op, left, right, .. } => match op {
                TensorOp::Add | TensorOp::Sub | TensorOp::Unite(_) => {
                    is_everywhere(left) || is_everywhere(right)
                }
                TensorOp::Mul | TensorOp::Div | TensorOp::Combine(_) => {
                    is_everywhere(left) && is_everywhere(right)
                }
            },
        }
    }

    /// Returns the value where no sparse operand has an entry, where the text fixes it.
    fn without_entries(&self, tree: &Tree) -> Option<Complex<f64>> {
        match tree {
            Tree::Operand(operand) if !self.is_everywhere(operand) => Some(real(0.0)),
            Tree::Operand(operand) => constant(operand).map(real),
            Tree::Convert(element, value) => {
                self.without_entries(value).and_then(|value| converted(*element, value))
            }
            Tree::Apply(function, operand) => {
                let value = self.without_entries(operand)?;
                match operand.element().is_complex() {
                    true => function.of_complex_double(value),
                    false => Some(real(function.of_double(value.re))),
                }
            }
            Tree::Binary(operator, operands) => {
                let [left, right] = operands.each_ref().map(|operand| self.without_entries(operand));
                let is_zero = |value: Option<Complex<f64>>| value.is_some_and(|value| !value.is_true());
                match (operator, left, right) {
                    // What is missing makes a product or quotient missing, whatever the other factor is.
                    (Operator::Mul | Operator::Div, ..) if is_zero(left) => left,
                    (Operator::Mul, ..) if is_zero(right) => right,
                    (_, Some(left), Some(right)) => {
                        let is_complex = *operator == Operator::Complex
                            || operands.iter().any(|operand| operand.element().is_complex());
                        match is_complex {
                            true => operator.apply(left, right),
                            false => operator.apply(left.re, right.re).map(real),
                        }
                    }
                    (Operator::And | Operator::If, ..) if is_zero(left) => left,
                    (Operator::And | Operator::If | Operator::Else, ..) if is_zero(right) => right,
                    (Operator::Else, Some(_), _) => (!is_zero(left)).then_some(real(0.0)),
                    (Operator::Either, ..) if is_zero(left) => right,
                    _ => None,
                }
            }
        }
    }
}

fn real(value: f64) -> Complex<f64> {
    Complex { re: value, im: 0.0 }
}

/// A number of the text as an element of a type stores it, where that is known here.
fn converted(element: Element, value: Complex<f64>) -> Option<Complex<f64>> {
    match element {
        _ if !value.is_true() => Some(real(0.0)),
        Element::I64 => Some(real(value.re.trunc())),
        Element::F32 => Some(real(f64::from(value.re as f32))),
        Element::F64 => Some(real(value.re)),
        Element::Bool => Some(real(1.0)),
        Element::C64 => {
            let [re, im] = [value.re, value.im].map(|part| f64::from(part as f32));
            Some(Complex { re, im })
        }
        Element::C128 => Some(value),
        _ => None,
    }
}

pub(super) fn zero(element: Element, span: Span) -> TensorExpr {
    let number = if element == Element::I64 { Number::Int(0) } else { Number::Float(0.0) };
    TensorExpr { kind: TensorExprKind::Number(number), element, span, is_grouped: false }
}

pub(super) fn minus_one(element: Element, span: Span) -> TensorExpr {
    let number = if element == Element::I64 { Number::Int(-1) } else { Number::Float(-1.0) };
    TensorExpr { kind: TensorExprKind::Number(number), element, span, is_grouped: false }
}

/// The value of an expression of numbers alone.
pub(crate) fn constant(value: &TensorExpr) -> Option<f64> {
    literal(value).map(Number::as_f64)
}

fn literal(value: &TensorExpr) -> Option<Number> {
    match &value.kind {
        TensorExprKind::Number(number) => Some(*number),
        TensorExprKind::Neg(operand) => literal(operand).map(Number::negated),
        _ => None,
    }
}

pub(super) fn is_same_access(one: &TensorExpr, other: &TensorExpr) -> bool {
    match (&one.kind, &other.kind) {
        (TensorExprKind::Access(one), TensorExprKind::Access(other)) => {
            one.tensor == other.tensor && one.labels == other.labels
        }
        _ => false,
    }
}
