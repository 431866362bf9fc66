//! Functions of numbers, comparisons and `select` in tensor expressions, and the patterns of their values.
//!
//! A nest of functions, `max(exp(A[i,j]), B[i,j] > 1)`, has operands: what its arguments are but for
//! functions. An operand is sparse unless it is present everywhere. All see 0 where an operand has no entry.
//! The value is present where one of the sparse operands is if it is 0 where all of them are 0, as far as
//! that is known from the text; otherwise everywhere. In `stored(…)` it is present where all operands are.
//!
//! Only the operators of `notation` are left: one that unites its operands' patterns counts a missing one as
//! 0, so that `first` of `A` and a number is present everywhere, and 0 where `A` has no entry.
mod complex;
mod inline;
pub(crate) mod tree;

use comet_diag::{Diagnostic, Span};
use comet_notation::Function;
use comet_syntax::ast::{BinaryOp, Element, Expr, ExprKind, Ident};

use crate::builtin::{self, Builtin, Callee};
use crate::function::Checker;
use crate::program::{Access, Operator, TensorExpr, TensorExprKind, TensorOp};
use tree::{Placed, Present, Tree, boolean, select};

/// What is computed for each element by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elementwise {
    Function(Function),
    /// `pow(x, y)`, `min(x, y)`, `max(x, y)`, `complex(x, y)`.
    Operator(Operator),
    /// `select(condition, x, y)`.
    Select,
    /// `stored(x)`.
    Stored,
    /// `drop(x, condition)`.
    Drop,
    /// `int8(x)`: an element type is a function.
    Convert(Element),
}

const OTHERS: &[(&str, Elementwise)] = &[
    ("pow", Elementwise::Operator(Operator::Pow)),
    ("min", Elementwise::Operator(Operator::Min)),
    ("max", Elementwise::Operator(Operator::Max)),
    ("complex", Elementwise::Operator(Operator::Complex)),
    ("select", Elementwise::Select),
    ("stored", Elementwise::Stored),
    ("drop", Elementwise::Drop),
];

impl Elementwise {
    pub(crate) fn named(name: &str) -> Option<Self> {
        let other = OTHERS.iter().find(|(word, _)| *word == name).map(|(_, found)| *found);
        let function = || Function::named(name).map(Self::Function);
        other.or_else(function).or_else(|| Element::named(name).map(Self::Convert))
    }

    pub(crate) fn names<'a>() -> impl Iterator<Item = &'a str> {
        let others = OTHERS.iter().map(|(name, _)| -> &'a str { name });
        let functions = Function::ALL.iter().map(|function| -> &'a str { function.name() });
        others.chain(functions).chain(Element::ALL.iter().map(|element| -> &'a str { element.word() }))
    }

    /// Returns how it is written, to count the arguments by.
    fn usage(self) -> (usize, String) {
        match self {
            Self::Function(function) => (1, format!("{}(x)", function.name())),
            Self::Operator(operator) => (2, format!("{}(x, y)", operator.name())),
            Self::Select => (3, "select(condition, x, y)".to_owned()),
            Self::Stored => (1, "stored(x)".to_owned()),
            Self::Drop => (2, "drop(x, condition)".to_owned()),
            Self::Convert(to) => (1, format!("{}(x)", to.word())),
        }
    }
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
        let own = self.scope.tensors[target.tensor.0].element.computed();
        let element = own.widest(value.element);
        let kind = TensorExprKind::Access(target.clone());
        let old = TensorExpr { kind, element: own, span: target.span, is_grouped: false };
        placed.binary(TensorOp::Combine(operator), old, placed.everywhere(value), element)
    }

    /// Returns the elementwise function that an expression calls.
    pub(crate) fn elementwise_callee<'e>(
        &self,
        expr: &'e Expr,
    ) -> Option<(Elementwise, &'e Ident, &'e [Expr])> {
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
        if let ExprKind::Binary { op, op_span, left, right } = &expr.kind
            && let Some(operator) = condition_operator(*op)
        {
            let (left, right) = (self.tree(left), self.tree(right));
            return self.checked_pair(operator, [left?, right?], *op_span);
        }
        match self.elementwise_callee(expr) {
            Some((function @ Elementwise::Function(of), callee, args)) => {
                let [operand] = self.counted(function, callee, args)?;
                let operand = self.tree(operand)?;
                self.checked_apply(of, operand, callee.span)
            }
            Some((function @ Elementwise::Convert(to), callee, args)) => {
                let [operand] = self.counted(function, callee, args)?;
                let operand = self.tree(operand)?;
                self.checked_convert(to, operand, callee.span)
            }
            Some((function @ Elementwise::Operator(operator), callee, args)) => {
                let [left, right] = self.counted(function, callee, args)?;
                let (left, right) = (self.tree(left), self.tree(right));
                self.checked_pair(operator, [left?, right?], callee.span)
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
