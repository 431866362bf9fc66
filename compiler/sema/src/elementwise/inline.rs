//! Functions of the file on scalars, applied to elements: their bodies become nests of functions.
//!
//! Before, with `def clip(double x) -> double { if x > 1: return 1; end return x; }`: `clip(A[i,j])`. After:
//! `select(A[i,j] > 1, 1, A[i,j])`.

use std::collections::HashMap;

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{BinaryOp, Branch, Expr, ExprKind, Ident, OperatorName, Stmt, StmtKind};

use super::tree::{Tree, boolean, convert, minus_one, pair, select};
use super::{Elementwise, condition_operator};
use crate::builtin::{self, Builtin, Callee};
use crate::call::narrowing_hint;
use crate::element::number_element;
use crate::function::Checker;
use crate::literal::literal;
use crate::names::{NameKind, counted};
use crate::program::{Number, Operator, TensorExpr, TensorExprKind};
use crate::signature::Parameter;

/// Larger nests are refused: each use of a name repeats its value.
const MOST_NODES: usize = 4096;

/// The values of the names in a body.
type Values = HashMap<String, Tree>;

/// How a block ends.
enum End {
    Returned(Tree),
    /// Statements follow.
    Open,
}

impl Checker<'_> {
    /// Returns the function of the file that a call applies to elements: one of scalars, with an argument
    /// that has labels.
    pub(crate) fn element_function(&self, callee: &Ident, args: &[Expr]) -> Option<usize> {
        let Some(Callee::Function(index)) = builtin::resolve(callee, self.file.signatures) else {
            return None;
        };
        let signature = &self.file.signatures.functions[index];
        let is_scalar = |kind: NameKind| kind == NameKind::Scalar;
        let returns = signature.result.as_ref().is_some_and(|result| is_scalar(result.kind()));
        let takes = signature.params.iter().all(|param| is_scalar(param.kind()));
        (returns && takes && args.iter().any(|arg| self.has_labels(arg))).then_some(index)
    }

    fn has_labels(&self, expr: &Expr) -> bool {
        self.at_one_point(expr).into_iter().any(
            |inner| matches!(&inner.kind, ExprKind::Access { indices, .. } | ExprKind::Transpose { indices, .. } if !self.is_element(indices)),
        )
    }

    pub(super) fn inlined(&mut self, index: usize, callee: &Ident, args: &[Expr]) -> Option<Tree> {
        let trees: Vec<Option<Tree>> = args.iter().map(|arg| self.tree(arg)).collect();
        let trees = trees.into_iter().collect::<Option<Vec<Tree>>>()?;
        self.inlined_call(index, callee.span, trees)
    }

    /// Callees are checked before their callers, so that one that is not has an error, recursion for example.
    pub(crate) fn inlined_call(&mut self, index: usize, span: Span, args: Vec<Tree>) -> Option<Tree> {
        self.file.checked[index].as_ref()?;
        self.inlined_body(index, span, args)
    }

    pub(crate) fn inlined_body(&mut self, index: usize, span: Span, args: Vec<Tree>) -> Option<Tree> {
        let (signatures, functions) = (self.file.signatures, self.file.functions);
        let (signature, function) = (&signatures.functions[index], &functions[index]);
        if args.len() != signature.params.len() {
            let takes = counted(signature.params.len(), "argument");
            let message = format!("`{}` takes {takes}, found {}", function.name.name, args.len());
            return self.refuse(Diagnostic::error(span, message).also(function.name.span, "defined here"));
        }
        let mut values = Values::new();
        for (arg, param) in args.into_iter().zip(&signature.params) {
            values.insert(param.name.name.clone(), self.element_argument(arg, param, span)?);
        }
        let result = signature.result.as_ref().expect("a function of elements returns a scalar");
        let value = match self.inlined_block(&function.body, &mut values, span)? {
            End::Returned(value) => Some(value),
            End::Open => values.remove(&result.name.name).filter(|_| !result.name.name.is_empty()),
        };
        let Some(value) = value else {
            let message = format!("`{}` does not return on every way", function.name.name);
            return self.refuse(
                Diagnostic::error(function.name.span, message).also(span, "applied to elements here"),
            );
        };
        if value.nodes() > MOST_NODES {
            let message = format!(
                "not supported yet: `{}` of elements, which is too large to inline",
                function.name.name
            );
            return self
                .refuse(Diagnostic::error(span, message).hint("compute parts of it into tensors first"));
        }
        self.checked_convert(result.element, value, span)
    }

    /// What a parameter of a function of elements holds.
    fn element_argument(&mut self, arg: Tree, param: &Parameter, call: Span) -> Option<Tree> {
        if let Some((value, span)) = arg.as_number() {
            let value = self.passed_number(value, span, param.element, (&param.name, param.span))?;
            return Some(convert(param.element, number_tree(value, span)));
        }
        let (takes, found) = (param.element.computed(), arg.element());
        if found.widest(takes) == takes {
            return Some(convert(param.element, arg));
        }
        let (expected, found) = (param.element.word(), found.word());
        let message = format!("parameter `{}` is `{expected}`, found a `{found}`", param.name.name);
        let error = Diagnostic::error(call, message).also(param.span, "declared here");
        self.refuse(error.hint(narrowing_hint(param.element, arg.element())))
    }

    /// The statements of a block, until one returns.
    fn inlined_block(&mut self, body: &[Stmt], values: &mut Values, call: Span) -> Option<End> {
        for (place, stmt) in body.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Var { name, value } | StmtKind::SetScalar { name, op: None, value } => {
                    let value = self.inlined_value(value, values)?;
                    values.insert(name.name.clone(), value);
                }
                StmtKind::SetScalar { name, op: Some(op), value } => {
                    let value = self.inlined_value(value, values)?;
                    let old = values.get(&name.name).cloned().zip(arithmetic_operator(*op));
                    let Some((old, operator)) = old else { return self.not_of_elements(stmt.span) };
                    let new = self.checked_pair(operator, [old, value], stmt.span)?;
                    values.insert(name.name.clone(), new);
                }
                StmtKind::Return(Some(value)) => {
                    return self.inlined_value(value, values).map(End::Returned);
                }
                StmtKind::If { branches, else_body } => {
                    let else_body = else_body.as_deref().unwrap_or_default();
                    let rest = &body[place + 1..];
                    if let End::Returned(value) =
                        self.inlined_branches((branches, else_body, rest), values, call)?
                    {
                        return Some(End::Returned(value));
                    }
                }
                _ => {
                    let message = "not supported yet: this statement in a function of elements";
                    let hint = "such a function has `var`, assignments to scalars, `if` and `return`";
                    let error = Diagnostic::error(stmt.span, message).also(call, "applied to elements here");
                    return self.refuse(error.hint(hint));
                }
            }
        }
        Some(End::Open)
    }

    /// The branches of an `if`, of which the first whose condition holds is taken, and the statements behind
    /// it where some of them return.
    fn inlined_branches(
        &mut self,
        (branches, else_body, rest): (&[Branch], &[Stmt], &[Stmt]),
        values: &mut Values,
        call: Span,
    ) -> Option<End> {
        let Some((branch, others)) = branches.split_first() else {
            return self.inlined_block(else_body, values, call);
        };
        let condition = boolean(self.inlined_value(&branch.condition, values)?);
        let mut taken = values.clone();
        let then = self.inlined_block(&branch.body, &mut taken, call)?;
        let otherwise = self.inlined_branches((others, else_body, rest), values, call)?;
        let (then, otherwise) = match (then, otherwise) {
            (End::Open, End::Open) => {
                merge(&condition, taken, values);
                return Some(End::Open);
            }
            (End::Returned(then), End::Returned(otherwise)) => (then, otherwise),
            (End::Returned(then), End::Open) => (then, self.rest(rest, values, call)?),
            (End::Open, End::Returned(otherwise)) => (self.rest(rest, &mut taken, call)?, otherwise),
        };
        Some(End::Returned(select(condition, then, otherwise)))
    }

    fn rest(&mut self, rest: &[Stmt], values: &mut Values, call: Span) -> Option<Tree> {
        match self.inlined_block(rest, values, call)? {
            End::Returned(value) => Some(value),
            End::Open => {
                let message = "this function of elements does not return on every way";
                let hint = "end it with `return`";
                self.refuse(Diagnostic::error(call, message).hint(hint))
            }
        }
    }

    fn inlined_value(&mut self, expr: &Expr, values: &Values) -> Option<Tree> {
        if let Some(number) = literal(expr) {
            return Some(number_tree(number, expr.span));
        }
        match &expr.kind {
            ExprKind::Name(name) if values.contains_key(name) => Some(values[name].clone()),
            ExprKind::Neg(operand) => {
                let operand = self.inlined_value(operand, values)?;
                // The sign of a zero stays.
                let sign = Tree::operand(minus_one(operand.element(), expr.span));
                Some(pair(Operator::Mul, sign, operand))
            }
            ExprKind::Binary { op, op_span, left, right } => {
                let (left, right) = (self.inlined_value(left, values), self.inlined_value(right, values));
                self.inlined_pair((*op, *op_span), [left?, right?], expr.span)
            }
            ExprKind::Call { callee, args } => self.inlined_application((callee, args), values, expr.span),
            _ => self.not_of_elements(expr.span),
        }
    }

    fn inlined_pair(
        &mut self,
        (op, op_span): (BinaryOp, Span),
        operands: [Tree; 2],
        span: Span,
    ) -> Option<Tree> {
        if let BinaryOp::Monoid(OperatorName::Function(name)) = op {
            let Some(index) = self.file.signatures.index(name.text()) else {
                return self.not_of_elements(span);
            };
            return self.inlined_call(index, span, Vec::from(operands));
        }
        match condition_operator(op).or(arithmetic_operator(op)) {
            Some(operator) => self.checked_pair(operator, operands, op_span),
            None => self.not_of_elements(span),
        }
    }

    fn inlined_application(
        &mut self,
        (callee, args): (&Ident, &[Expr]),
        values: &Values,
        span: Span,
    ) -> Option<Tree> {
        let trees: Vec<Option<Tree>> = args.iter().map(|arg| self.inlined_value(arg, values)).collect();
        let trees = trees.into_iter().collect::<Option<Vec<Tree>>>()?;
        match builtin::resolve(callee, self.file.signatures) {
            Some(Callee::Builtin(Builtin::Elementwise(function))) => {
                let (count, usage) = function.usage();
                self.count_arguments(callee, args, count, &usage)?;
                self.applied_to(function, trees, span)
            }
            Some(Callee::Function(index)) => self.inlined_call(index, span, trees),
            _ => self.not_of_elements(span),
        }
    }

    fn applied_to(&mut self, function: Elementwise, trees: Vec<Tree>, span: Span) -> Option<Tree> {
        match (
            function,
            <[Tree; 1]>::try_from(trees.clone()),
            <[Tree; 2]>::try_from(trees.clone()),
            <[Tree; 3]>::try_from(trees),
        ) {
            (Elementwise::Function(function), Ok([operand]), ..) => {
                self.checked_apply(function, operand, span)
            }
            (Elementwise::Convert(to), Ok([operand]), ..) => self.checked_convert(to, operand, span),
            (Elementwise::Operator(operator), _, Ok(operands), _) => {
                self.checked_pair(operator, operands, span)
            }
            (Elementwise::Select, .., Ok([condition, then, otherwise])) => {
                Some(select(boolean(condition), then, otherwise))
            }
            _ => self.not_of_elements(span),
        }
    }

    fn not_of_elements<T>(&mut self, span: Span) -> Option<T> {
        let message = "not supported yet: this expression in a function of elements";
        let hint = "such a function computes from its parameters, numbers and functions of numbers";
        self.refuse(Diagnostic::error(span, message).hint(hint))
    }
}

fn number_tree(number: Number, span: Span) -> Tree {
    let (kind, element) = (TensorExprKind::Number(number), number_element(number));
    Tree::operand(TensorExpr { kind, element, span, is_grouped: false })
}

fn arithmetic_operator(op: BinaryOp) -> Option<Operator> {
    Some(match op {
        BinaryOp::Add => Operator::Add,
        BinaryOp::Sub => Operator::Sub,
        BinaryOp::Mul | BinaryOp::ElementwiseMul => Operator::Mul,
        BinaryOp::Div => Operator::Div,
        BinaryOp::Monoid(OperatorName::Operator(operator)) => operator,
        _ => return None,
    })
}

/// What names hold after an `if` that has left different values in them.
fn merge(condition: &Tree, taken: Values, values: &mut Values) {
    for (name, then) in taken {
        let Some(otherwise) = values.remove(&name) else { continue };
        let merged = if then == otherwise { then } else { select(condition.clone(), then, otherwise) };
        values.insert(name, merged);
    }
}
