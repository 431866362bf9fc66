//! Functions of numbers, comparisons and `select` in tensor expressions, and the patterns of their values.
//!
//! A nest of functions, `max(exp(A[i,j]), B[i,j] > 1)`, has operands: what its arguments are but for
//! functions. An operand is sparse unless it is present everywhere. All see 0 where an operand has no entry.
//! The value is present where one of the sparse operands is if it is 0 where all of them are 0, as far as
//! that is known from the text; otherwise everywhere. In `stored(…)` it is present where all operands are.
//!
//! Only the operators of `notation` are left: one that unites its operands' patterns counts a missing one as
//! 0, so that `first` of `A` and a number is present everywhere, and 0 where `A` has no entry.

mod inline;

use comet_diag::{Diagnostic, Span};
use comet_notation::Function;
use comet_syntax::ast::{BinaryOp, Element, Expr, ExprKind, Ident};

use crate::builtin::{self, Builtin, Callee};
use crate::function::Checker;
use crate::program::{Access, Number, Operator, TensorExpr, TensorExprKind, TensorOp};
use crate::scope::TensorInfo;

/// What is computed for each element by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elementwise {
    Function(Function),
    /// `pow(x, y)`, `min(x, y)`, `max(x, y)`.
    Operator(Operator),
    /// `select(condition, x, y)`.
    Select,
    /// `stored(x)`.
    Stored,
    /// `drop(x, condition)`.
    Drop,
}

const OTHERS: &[(&str, Elementwise)] = &[
    ("pow", Elementwise::Operator(Operator::Pow)),
    ("min", Elementwise::Operator(Operator::Min)),
    ("max", Elementwise::Operator(Operator::Max)),
    ("select", Elementwise::Select),
    ("stored", Elementwise::Stored),
    ("drop", Elementwise::Drop),
];

impl Elementwise {
    pub(crate) fn named(name: &str) -> Option<Self> {
        let other = OTHERS.iter().find(|(word, _)| *word == name).map(|(_, found)| *found);
        other.or_else(|| Function::named(name).map(Self::Function))
    }

    pub(crate) fn names<'a>() -> impl Iterator<Item = &'a str> {
        let others = OTHERS.iter().map(|(name, _)| -> &'a str { name });
        others.chain(Function::ALL.iter().map(|function| -> &'a str { function.name() }))
    }

    /// Returns how it is written, to count the arguments by.
    fn usage(self) -> (usize, String) {
        match self {
            Self::Function(function) => (1, format!("{}(x)", function.name())),
            Self::Operator(operator) => (2, format!("{}(x, y)", operator.name())),
            Self::Select => (3, "select(condition, x, y)".to_owned()),
            Self::Stored => (1, "stored(x)".to_owned()),
            Self::Drop => (2, "drop(x, condition)".to_owned()),
        }
    }
}

/// A nest of functions.
#[derive(Clone, PartialEq)]
enum Tree {
    Operand(Box<TensorExpr>),
    Apply(Function, Box<Tree>),
    /// The value in another type.
    Convert(Element, Box<Tree>),
    Binary(Operator, Box<[Tree; 2]>),
}

/// Where a value is present.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Present {
    /// Where all operands are: in `stored(…)`.
    WithAll,
    /// Everywhere, or where one of the sparse operands is.
    ByZeros,
}

impl Checker<'_> {
    /// Checks a call of an elementwise function, a comparison, or `&` and `|` between conditions.
    pub(crate) fn elementwise(&mut self, expr: &Expr) -> Option<TensorExpr> {
        let value = match self.elementwise_callee(expr) {
            Some((Elementwise::Stored, callee, args)) => self.stored(callee, args)?,
            Some((Elementwise::Drop, callee, args)) => self.dropped(callee, args, expr.span)?,
            _ => {
                let present = if self.is_stored { Present::WithAll } else { Present::ByZeros };
                let tree = self.tree(expr)?;
                Placed { tensors: &self.scope.tensors, span: expr.span }.of(&tree, present)
            }
        };
        let element = value.element;
        let kind = TensorExprKind::Elementwise(Box::new(value));
        Some(TensorExpr { kind, element, span: expr.span, is_grouped: false })
    }

    /// Returns the entries of a tensor, each combined with a value that counts as 0 where it is missing.
    pub(crate) fn scaled_entries(
        &self,
        target: &Access,
        operator: Operator,
        value: TensorExpr,
    ) -> TensorExpr {
        let placed = Placed { tensors: &self.scope.tensors, span: value.span };
        let own = self.scope.tensors[target.tensor.0].element;
        let element = own.widest(value.element);
        let kind = TensorExprKind::Access(target.clone());
        let old = TensorExpr { kind, element: own, span: target.span, is_grouped: false };
        placed.binary(TensorOp::Combine(operator), old, placed.everywhere(value), element)
    }

    /// Returns the elementwise function that an expression calls.
    fn elementwise_callee<'e>(&self, expr: &'e Expr) -> Option<(Elementwise, &'e Ident, &'e [Expr])> {
        let ExprKind::Call { callee, args } = &expr.kind else { return None };
        match builtin::resolve(callee, self.file.signatures) {
            Some(Callee::Builtin(Builtin::Elementwise(function))) => Some((function, callee, args)),
            _ => None,
        }
    }

    fn counted<'e, const N: usize>(
        &mut self,
        function: Elementwise,
        callee: &Ident,
        args: &'e [Expr],
    ) -> Option<&'e [Expr; N]> {
        let (count, usage) = function.usage();
        self.count_arguments(callee, args, count, &usage)?;
        args.try_into().ok()
    }

    fn stored(&mut self, callee: &Ident, args: &[Expr]) -> Option<TensorExpr> {
        let [value] = self.counted(Elementwise::Stored, callee, args)?;
        let around = std::mem::replace(&mut self.is_stored, true);
        let value = self.tensor_expr(value);
        self.is_stored = around;
        value
    }

    fn dropped(&mut self, callee: &Ident, args: &[Expr], span: Span) -> Option<TensorExpr> {
        let [value, condition] = self.counted(Elementwise::Drop, callee, args)?;
        let (value, condition) = (self.tensor_expr(value), self.tree(condition));
        let (value, condition) = (value?, boolean(condition?));
        let condition = Placed { tensors: &self.scope.tensors, span }.united(&condition);
        let labels: Vec<_> = value.accesses().into_iter().flat_map(|access| access.labels.clone()).collect();
        let strays = condition.accesses().into_iter();
        let stray = strays.flat_map(|access| access.labels.clone()).find(|label| !labels.contains(label));
        if let Some(stray) = stray {
            let name = &self.scope.labels[stray.0].name;
            let message = format!("the condition of `drop` has the label `{name}`, which its value lacks");
            let hint = "assign the condition to a tensor under the labels of the value first";
            return self.refuse(Diagnostic::error(condition.span, message).hint(hint));
        }
        let element = value.element;
        let kind = TensorExprKind::Drop { value: Box::new(value), condition: Box::new(condition) };
        Some(TensorExpr { kind, element, span, is_grouped: false })
    }

    fn tree(&mut self, expr: &Expr) -> Option<Tree> {
        if let ExprKind::Binary { op, left, right, .. } = &expr.kind
            && let Some(operator) = condition_operator(*op)
        {
            let (left, right) = (self.tree(left), self.tree(right));
            return Some(pair(operator, left?, right?));
        }
        match self.elementwise_callee(expr) {
            Some((function @ Elementwise::Function(of), callee, args)) => {
                let [operand] = self.counted(function, callee, args)?;
                Some(apply(of, self.tree(operand)?))
            }
            Some((function @ Elementwise::Operator(operator), callee, args)) => {
                let [left, right] = self.counted(function, callee, args)?;
                let (left, right) = (self.tree(left), self.tree(right));
                Some(pair(operator, left?, right?))
            }
            Some((Elementwise::Select, callee, args)) => {
                let [condition, then, otherwise] = self.counted(Elementwise::Select, callee, args)?;
                let (condition, then, otherwise) =
                    (self.tree(condition), self.tree(then), self.tree(otherwise));
                Some(select(boolean(condition?), then?, otherwise?))
            }
            _ => match &expr.kind {
                ExprKind::Call { callee, args } if let Some(index) = self.element_function(callee, args) => {
                    self.inlined(index, callee, args)
                }
                _ => self.tensor_expr(expr).map(Tree::operand),
            },
        }
    }
}

/// The operator that compares or joins conditions at the points of tensors.
pub(crate) fn condition_operator(op: BinaryOp) -> Option<Operator> {
    Some(match op {
        BinaryOp::Eq => Operator::Eq,
        BinaryOp::Ne => Operator::Ne,
        BinaryOp::Lt => Operator::Lt,
        BinaryOp::Le => Operator::Le,
        BinaryOp::Gt => Operator::Gt,
        BinaryOp::Ge => Operator::Ge,
        BinaryOp::And => Operator::And,
        BinaryOp::Or => Operator::Or,
        _ => return None,
    })
}

fn pair(operator: Operator, left: Tree, right: Tree) -> Tree {
    Tree::Binary(operator, Box::new([left, right]))
}

/// `condition` is 0 or 1.
fn select(condition: Tree, then: Tree, otherwise: Tree) -> Tree {
    let then = pair(Operator::If, condition.clone(), then);
    pair(Operator::Either, then, pair(Operator::Else, condition, otherwise))
}

fn convert(element: Element, value: Tree) -> Tree {
    if value.element() == element { value } else { Tree::Convert(element, Box::new(value)) }
}

/// Integers are rounded already.
fn apply(function: Function, operand: Tree) -> Tree {
    match function {
        Function::Floor | Function::Ceil | Function::Round if operand.element() == Element::I64 => operand,
        _ => Tree::Apply(function, Box::new(operand)),
    }
}

/// A condition that is 0 or 1.
fn boolean(condition: Tree) -> Tree {
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
    fn operand(operand: TensorExpr) -> Self {
        Self::Operand(Box::new(operand))
    }

    /// Whether it is a number of the text, which has no type of its own.
    fn is_number(&self) -> bool {
        matches!(self, Self::Operand(operand) if constant(operand).is_some())
    }

    fn nodes(&self) -> usize {
        match self {
            Self::Operand(_) => 1,
            Self::Apply(_, operand) | Self::Convert(_, operand) => 1 + operand.nodes(),
            Self::Binary(_, operands) => 1 + operands.iter().map(Self::nodes).sum::<usize>(),
        }
    }

    fn element(&self) -> Element {
        match self {
            Self::Operand(operand) => operand.element,
            Self::Convert(element, _) => *element,
            Self::Apply(Function::IsNan, _) => Element::I64,
            Self::Apply(function, operand) => match operand.element() {
                Element::I64 if !function.keeps_integers() => Element::F64,
                element => element,
            },
            Self::Binary(operator, _) if operator.is_condition() => Element::I64,
            Self::Binary(Operator::If | Operator::Else, operands) => operands[1].element(),
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
struct Placed<'t> {
    tensors: &'t [TensorInfo],
    span: Span,
}

impl Placed<'_> {
    fn of(&self, tree: &Tree, present: Present) -> TensorExpr {
        if present == Present::WithAll {
            return self.intersected(tree);
        }
        let operands = tree.operands();
        let sparse: Vec<&TensorExpr> =
            operands.into_iter().filter(|operand| !self.is_everywhere(operand)).collect();
        let Some((first, others)) = sparse.split_first() else { return self.united(tree) };
        if self.without_entries(tree) != Some(0.0) {
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
    fn united(&self, tree: &Tree) -> TensorExpr {
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

    /// A wrapper of another type: operands are converted to the type that their operation has.
    fn converted(&self, element: Element, value: TensorExpr) -> TensorExpr {
        let kind = TensorExprKind::Elementwise(Box::new(value));
        TensorExpr { kind, element, span: self.span, is_grouped: false }
    }

    fn binary(&self, op: TensorOp, left: TensorExpr, right: TensorExpr, element: Element) -> TensorExpr {
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = TensorExprKind::Binary { op, reduce: None, left, right };
        TensorExpr { kind, element, span: self.span, is_grouped: true }
    }

    /// The value, and 0 where it is not present.
    fn everywhere(&self, value: TensorExpr) -> TensorExpr {
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
    fn without_entries(&self, tree: &Tree) -> Option<f64> {
        match tree {
            Tree::Operand(operand) if !self.is_everywhere(operand) => Some(0.0),
            Tree::Operand(operand) => constant(operand),
            Tree::Convert(element, value) => self.without_entries(value).map(|value| match element {
                Element::I64 => value.trunc(),
                Element::F32 => f64::from(value as f32),
                Element::F64 => value,
            }),
            Tree::Apply(function, operand) => {
                self.without_entries(operand).map(|value| function.of_double(value))
            }
            Tree::Binary(operator, operands) => {
                let [left, right] = operands.each_ref().map(|operand| self.without_entries(operand));
                match (operator, left, right) {
                    // What is missing makes a product or quotient missing, whatever the other factor is.
                    (Operator::Mul | Operator::Div, Some(0.0), _) | (Operator::Mul, _, Some(0.0)) => {
                        Some(0.0)
                    }
                    (_, Some(left), Some(right)) => operator.apply(left, right),
                    (Operator::And, Some(0.0), _) | (Operator::And, _, Some(0.0)) => Some(0.0),
                    (Operator::If, Some(0.0), _) | (Operator::If | Operator::Else, _, Some(0.0)) => Some(0.0),
                    (Operator::Else, Some(_), _) => left.filter(|left| *left != 0.0).map(|_| 0.0),
                    (Operator::Either, Some(0.0), _) => right,
                    _ => None,
                }
            }
        }
    }
}

fn zero(element: Element, span: Span) -> TensorExpr {
    let number = if element == Element::I64 { Number::Int(0) } else { Number::Float(0.0) };
    TensorExpr { kind: TensorExprKind::Number(number), element, span, is_grouped: false }
}

fn minus_one(element: Element, span: Span) -> TensorExpr {
    let number = if element == Element::I64 { Number::Int(-1) } else { Number::Float(-1.0) };
    TensorExpr { kind: TensorExprKind::Number(number), element, span, is_grouped: false }
}

/// The value of an expression of numbers alone.
fn constant(value: &TensorExpr) -> Option<f64> {
    match &value.kind {
        TensorExprKind::Number(Number::Float(number)) => Some(*number),
        TensorExprKind::Number(Number::Int(number)) => Some(*number as f64),
        TensorExprKind::Neg(operand) => constant(operand).map(|number| -number),
        _ => None,
    }
}

fn is_same_access(one: &TensorExpr, other: &TensorExpr) -> bool {
    match (&one.kind, &other.kind) {
        (TensorExprKind::Access(one), TensorExprKind::Access(other)) => {
            one.tensor == other.tensor && one.labels == other.labels
        }
        _ => false,
    }
}
