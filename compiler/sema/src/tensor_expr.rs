//! Tensor expressions: every name resolved, every type known, reductions still implicit; `reduce` adds them.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{BinaryOp, Element, Expr, ExprKind, Ident, Index, Operator};

use crate::builtin::{self, Builtin, Callee};
use crate::element::{number, number_element};
use crate::elementwise::condition_operator;
use crate::function::Checker;
use crate::names::NameKind;
use crate::own_operator::OperatorUse;
use crate::program::{TensorExpr, TensorExprKind, TensorOp};

impl Checker<'_> {
    /// Checks a tensor expression; `None` where an error was reported.
    ///
    /// Trees may be deep: what does not recurse has functions, and so frames, of its own.
    pub(crate) fn tensor_expr(&mut self, expr: &Expr) -> Option<TensorExpr> {
        match &expr.kind {
            ExprKind::Neg(operand) => {
                let operand = Box::new(self.tensor_expr(operand)?);
                Some(negated(operand, expr))
            }
            ExprKind::Binary { op, op_span, left, right } if condition_operator(*op).is_none() => {
                let left = self.tensor_expr(left).map(Box::new);
                let right = self.tensor_expr(right).map(Box::new);
                self.binary((*op, *op_span), left, right, expr)
            }
            _ => self.operand(expr),
        }
    }

    fn operand(&mut self, expr: &Expr) -> Option<TensorExpr> {
        let (kind, element) = match &expr.kind {
            ExprKind::Number(written) => {
                let number = number(*written);
                (TensorExprKind::Number(number), number_element(number))
            }
            ExprKind::Name(name) => self.named_operand(name, expr.span)?,
            ExprKind::Access { tensor, indices } => self.accessed(tensor, indices, expr.span)?,
            ExprKind::Transpose { tensor, indices, permuted } => {
                let is_permutation = self.permutes(indices, permuted);
                let accessed = self.accessed(tensor, indices, expr.span)?;
                is_permutation.then_some(accessed)?
            }
            // Other operators and negations recurse.
            ExprKind::Neg(_) | ExprKind::Binary { .. } => return self.elementwise(expr),
            ExprKind::Call { callee, args } => match builtin::resolve(callee, self.file.signatures) {
                Some(Callee::Builtin(Builtin::Elementwise(_))) => return self.elementwise(expr),
                _ if self.element_function(callee, args).is_some() => return self.elementwise(expr),
                _ => self.called_operand(expr, callee, args)?,
            },
            ExprKind::Array(_) => {
                return self.no_operand(expr.span, "an array", "assign it to a dense tensor first");
            }
            ExprKind::Str(_) => {
                return self.no_operand(expr.span, "a string", "a string is only a file's path");
            }
            ExprKind::Error => {
                return self.no_operand(expr.span, "nothing that parses", "write an expression");
            }
        };
        Some(TensorExpr { kind, element, span: expr.span, is_grouped: expr.is_grouped() })
    }

    fn no_operand<T>(&mut self, span: Span, found: &str, hint: &str) -> Option<T> {
        let message = format!("found {found}, expected a tensor expression");
        self.refuse(Diagnostic::error(span, message).hint(hint))
    }

    fn named_operand(&mut self, name: &str, span: Span) -> Option<(TensorExprKind, Element)> {
        if self.scope.kind(name) == Some(NameKind::Tensor) {
            let (missing, hint) = if self.scope.has_rank_0(name) {
                let element = "the element of a tensor of rank 0 is written with brackets";
                ("brackets", format!("{element}: `{name}[]`"))
            } else {
                ("labels", format!("say which elements are meant: `{name}[…]`"))
            };
            let message = format!("tensor `{name}` stands without {missing}");
            return self.refuse(Diagnostic::error(span, message).hint(hint));
        }
        let (_, element) = self.scalar_name(name, span)?;
        let scalar = self.scope.scalar(name, span, &mut self.diagnostics)?;
        Some((TensorExprKind::Scalar(scalar), element))
    }

    fn accessed(
        &mut self,
        tensor: &Ident,
        indices: &[Index],
        span: Span,
    ) -> Option<(TensorExprKind, Element)> {
        let access = self.access(tensor, indices, span)?;
        let element = self.scope.tensors[access.tensor.0].element.computed();
        Some((TensorExprKind::Access(access), element))
    }

    fn binary(
        &mut self,
        (op, op_span): (BinaryOp, Span),
        left: Option<Box<TensorExpr>>,
        right: Option<Box<TensorExpr>>,
        expr: &Expr,
    ) -> Option<TensorExpr> {
        let (op, reduce) = self.point_op(op, op_span)?;
        let (left, right) = (left?, right?);
        if let TensorOp::Combine(Operator::Own(own)) = op {
            return self.combined_by_own((own, reduce), [*left, *right], expr);
        }
        let own = left.element.widest(right.element);
        for operator in combined(op).into_iter().chain(reduce) {
            self.check_complex(operator, own, op_span)?;
        }
        let element = self.reduced_type(reduce, own, expr)?;
        let kind = TensorExprKind::Binary { op, reduce, left, right };
        Some(TensorExpr { kind, element, span: expr.span, is_grouped: expr.is_grouped() })
    }

    fn point_op(&mut self, op: BinaryOp, span: Span) -> Option<(TensorOp, Option<Operator>)> {
        match op {
            BinaryOp::Add if self.is_stored => Some((TensorOp::Combine(Operator::Add), None)),
            BinaryOp::Sub if self.is_stored => Some((TensorOp::Combine(Operator::Sub), None)),
            BinaryOp::Add => Some((TensorOp::Add, None)),
            BinaryOp::Sub => Some((TensorOp::Sub, None)),
            BinaryOp::Mul | BinaryOp::ElementwiseMul => Some((TensorOp::Mul, None)),
            BinaryOp::Div => Some((TensorOp::Div, None)),
            BinaryOp::Monoid(op) => {
                let op = self.operator(op, OperatorUse::Combines, span)?;
                Some((TensorOp::Combine(op), None))
            }
            BinaryOp::Semiring(reduce, combine) => {
                let reduce = self.operator(reduce, OperatorUse::Reduces, span);
                let combine = self.operator(combine, OperatorUse::Combines, span);
                let (reduce, combine) = (reduce?, combine?);
                self.check_semiring(reduce, combine, span)?;
                Some((TensorOp::Combine(combine), Some(reduce)))
            }
            // `Checker::elementwise` takes these.
            BinaryOp::Or
            | BinaryOp::And
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => None,
        }
    }

    fn check_semiring(&mut self, reduce: Operator, combine: Operator, span: Span) -> Option<()> {
        let reduces = self.check_operator(reduce, Operator::reduces, ("cannot reduce a", "reduce"), span);
        let combines =
            self.check_operator(combine, Operator::combines, ("cannot combine in a", "combine"), span);
        reduces.and(combines)
    }

    fn check_operator(
        &mut self,
        operator: Operator,
        fits: fn(Operator) -> bool,
        (cannot, verb): (&str, &str),
        span: Span,
    ) -> Option<()> {
        if fits(operator) {
            return Some(());
        }
        let fitting = Operator::ALL.iter().filter(|operator| fits(**operator));
        let symbols: Vec<&str> = fitting.map(|operator| operator.symbol()).collect();
        let message = format!("`{}` {cannot} semiring", operator.symbol());
        let hint = format!("{verb} with one of `{}`", symbols.join("`, `"));
        self.refuse(Diagnostic::error(span, message).hint(hint))
    }

    /// What is computed once, a sum, a time or a function's scalar, becomes a scalar before the statement.
    fn called_operand(
        &mut self,
        expr: &Expr,
        callee: &Ident,
        args: &[Expr],
    ) -> Option<(TensorExprKind, Element)> {
        match builtin::resolve(callee, self.file.signatures) {
            Some(Callee::Function(index)) if self.returns_tensor(index) => {
                return self.called_tensor(index, callee, args, expr.span);
            }
            Some(Callee::Builtin(Builtin::Read | Builtin::Random)) => {
                let message =
                    format!("`{}` fills a whole tensor, found it inside an expression", callee.name);
                let hint = format!("write `T[…] = {}(…)`, then use `T[…]`", callee.name);
                return self.refuse(Diagnostic::error(expr.span, message).hint(hint));
            }
            Some(Callee::Builtin(Builtin::Reduction(_))) => self.count_reduced(callee, args)?,
            _ => {}
        }
        let value = self.scalar_expr(expr)?;
        let scalar = self.hoist(value);
        Some((TensorExprKind::Scalar(scalar), self.scope.scalars[scalar.0].element))
    }
}

/// The operator of a monoid or a semiring.
fn combined(op: TensorOp) -> Option<Operator> {
    match op {
        TensorOp::Combine(operator) | TensorOp::Unite(operator) => Some(operator),
        TensorOp::Add | TensorOp::Sub | TensorOp::Mul | TensorOp::Div => None,
    }
}

fn negated(operand: Box<TensorExpr>, expr: &Expr) -> TensorExpr {
    let element = operand.element;
    let kind = TensorExprKind::Neg(operand);
    TensorExpr { kind, element, span: expr.span, is_grouped: expr.is_grouped() }
}
