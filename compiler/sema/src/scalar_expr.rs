//! Scalar expressions: numbers, scalars, sums, times, calls, and the operators over them.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{BinaryOp, Element, Expr, ExprKind, Ident, Index, Operator};

use crate::builtin::{self, Builtin, Callee};
use crate::element::{number, number_element};
use crate::elementwise::{Elementwise, condition_operator};
use crate::function::Checker;
use crate::names::{NameKind, counted};
use crate::part::Slices;
use crate::program::{ScalarExpr, ScalarExprKind, ScalarOp, TensorExpr, TensorExprKind};
use crate::{reduce, walk};

impl Checker<'_> {
    /// Checks an expression whose value is one number; `None` where an error was reported.
    pub(crate) fn scalar_expr(&mut self, expr: &Expr) -> Option<ScalarExpr> {
        let span = expr.span;
        let (kind, element) = match &expr.kind {
            ExprKind::Number(written) => {
                let number = number(*written);
                (ScalarExprKind::Number(number), number_element(number))
            }
            ExprKind::Name(name) => self.scalar_name(name, span)?,
            ExprKind::Neg(operand) => {
                let operand = self.scalar_expr(operand)?;
                let element = operand.element;
                (ScalarExprKind::Neg(Box::new(operand)), element)
            }
            ExprKind::Binary { op: BinaryOp::Semiring(..) | BinaryOp::Monoid(_), .. } => self.point(expr)?,
            ExprKind::Binary { op, op_span, left, right } => {
                self.refuse_tensors(expr, *op)?;
                self.scalar_pair((*op, *op_span), [left, right])?
            }
            ExprKind::Call { callee, args } => match builtin::resolve(callee, self.file.signatures) {
                Some(Callee::Builtin(Builtin::Elementwise(function)))
                    if !matches!(function, Elementwise::Convert(_)) =>
                {
                    self.point(expr)?
                }
                _ => self.called_scalar(callee, args, span)?,
            },
            ExprKind::Access { tensor, indices } => self.element(expr, tensor, indices)?,
            ExprKind::Transpose { .. } => {
                return self.not_scalar(span, "a tensor", "reduce it with `SUM(…)`");
            }
            ExprKind::Array(_) => {
                return self.not_scalar(span, "an array", "assign it to a tensor: `A[i] = [1, 2]`");
            }
            ExprKind::Str(_) => {
                return self.not_scalar(
                    span,
                    "a string",
                    "a string is a file's path, or a text that `print` shows",
                );
            }
            ExprKind::Error => return self.not_scalar(span, "nothing that parses", "write an expression"),
        };
        Some(ScalarExpr { kind, element, span })
    }

    fn scalar_pair(
        &mut self,
        (op, op_span): (BinaryOp, Span),
        [left, right]: [&Expr; 2],
    ) -> Option<(ScalarExprKind, Element)> {
        let (left, right) = (self.scalar_expr(left), self.scalar_expr(right));
        let operator = condition_operator(op);
        let op = scalar_op(op)?;
        let (left, right) = (left?, right?);
        if let Some(operator) = operator {
            self.check_complex(operator, left.element.widest(right.element), op_span)?;
        }
        let element = result_element(op, left.element, right.element);
        Some((ScalarExprKind::Binary { op, left: Box::new(left), right: Box::new(right) }, element))
    }

    /// The scalar of that name, with a value by now.
    pub(crate) fn scalar_name(&mut self, name: &str, span: Span) -> Option<(ScalarExprKind, Element)> {
        let id = self.scope.scalar(name, span, &mut self.diagnostics)?;
        let info = &self.scope.scalars[id.0];
        if !info.assigned {
            let message = format!("scalar `{name}` is used before it has a value");
            let error = Diagnostic::error(span, message).also(info.span, "declared here");
            return self.refuse(error.hint(format!("assign it first: `{name} = 0`")));
        }
        Some((ScalarExprKind::Scalar(id), info.element.computed()))
    }

    fn called_scalar(
        &mut self,
        callee: &Ident,
        args: &[Expr],
        span: Span,
    ) -> Option<(ScalarExprKind, Element)> {
        match builtin::resolve(callee, self.file.signatures) {
            None => {
                self.unknown_function(callee);
                None
            }
            Some(Callee::Builtin(Builtin::Reduction(operator))) => self.reduction(operator, callee, args),
            Some(Callee::Builtin(Builtin::Time)) => {
                self.count_arguments(callee, args, 0, "getTime()")?;
                Some((ScalarExprKind::Time, Element::F64))
            }
            Some(Callee::Builtin(Builtin::Elementwise(Elementwise::Convert(to)))) => {
                self.count_arguments(callee, args, 1, &format!("{}(s)", callee.name))?;
                let value = Box::new(self.scalar_expr(args.first()?)?);
                self.check_real((to, None), value.element, callee.span)?;
                Some((ScalarExprKind::Convert { to, value }, to.computed()))
            }
            Some(Callee::Builtin(_)) => {
                let message = format!("`{}` has no value, expected a scalar expression", callee.name);
                let hint = format!("write `{}` as a statement of its own", callee.name);
                self.refuse(Diagnostic::error(span, message).hint(hint))
            }
            Some(Callee::Function(index)) => self.called_function(index, callee, args),
        }
    }

    fn called_function(
        &mut self,
        index: usize,
        callee: &Ident,
        args: &[Expr],
    ) -> Option<(ScalarExprKind, Element)> {
        let signature = &self.file.signatures.functions[index];
        let scalar = signature.result.as_ref().filter(|result| result.kind() == NameKind::Scalar);
        let Some(result) = scalar else {
            let found = if signature.result.is_some() { "a tensor" } else { "nothing" };
            let message = format!("`{}` returns {found}, expected a scalar", callee.name);
            return self.refuse(
                Diagnostic::error(callee.span, message).also(signature.name.span, "defined here").hint(
                    format!(
                        "take a tensor whole: `y[i] = {}(…)`, and reduce it with `SUM(y[i])`",
                        callee.name
                    ),
                ),
            );
        };
        let element = result.element.computed();
        let args = self.scalar_call(index, callee, args)?;
        Some((ScalarExprKind::Call { callee: callee.name.clone(), args }, element))
    }

    /// `SUM(expr)`, `MAX(expr)` or `MIN(expr)`.
    fn reduction(
        &mut self,
        operator: Operator,
        callee: &Ident,
        args: &[Expr],
    ) -> Option<(ScalarExprKind, Element)> {
        self.count_reduced(callee, args)?;
        let outside = self.target_labels.take();
        let slices = std::mem::replace(&mut self.slices, Slices { labels: Vec::new(), may_grow: true });
        let body = args.first().and_then(|body| self.tensor_expr(body));
        (self.target_labels, self.slices) = (outside, slices);
        let body = match operator {
            // Each term is reduced by itself.
            Operator::Add => {
                let sum = self.reduced(&body?, &[])?;
                self.check_monoid_in_sum(&sum)?;
                sum
            }
            _ => self.reduced_whole(operator, &body?, callee)?,
        };
        let element = body.element;
        Some((ScalarExprKind::Reduction(body), element))
    }

    /// The value of an expression reduced by one operator over all of its labels.
    fn reduced_whole(&mut self, operator: Operator, body: &TensorExpr, callee: &Ident) -> Option<TensorExpr> {
        self.check_complex(operator, body.element, callee.span)?;
        let semirings = body.parts().into_iter().filter_map(|part| match part.kind {
            TensorExprKind::Binary { reduce: Some(reduce), .. } => Some((reduce, part.span)),
            _ => None,
        });
        if let Some((reduce, span)) = semirings.into_iter().find(|(reduce, _)| *reduce != operator) {
            let name = &callee.name;
            let message = format!(
                "`{name}` reduces by `{}`, and this semiring by `{}`",
                operator.symbol(),
                reduce.symbol()
            );
            let hint = format!("assign the value of the semiring first: `T[i] = …`, then `{name}(T[i])`");
            return self.refuse(Diagnostic::error(span, message).hint(hint));
        }
        Some(reduce::whole(body, operator))
    }

    /// An element of a tensor.
    fn element(
        &mut self,
        expr: &Expr,
        tensor: &Ident,
        indices: &[Index],
    ) -> Option<(ScalarExprKind, Element)> {
        self.refuse_labels_in(expr)?;
        let access = self.access(tensor, indices, expr.span)?;
        let element = self.scope.tensors[access.tensor.0].element.computed();
        Some((ScalarExprKind::Element(access.tensor), element))
    }

    /// What the scalar operators do not have, `@`, is a sum over no label.
    fn point(&mut self, expr: &Expr) -> Option<(ScalarExprKind, Element)> {
        self.refuse_labels_in(expr)?;
        let body = self.tensor_expr(expr)?;
        let body = self.reduced(&body, &[])?;
        let element = body.element;
        Some((ScalarExprKind::Point(body), element))
    }

    fn refuse_labels_in(&mut self, expr: &Expr) -> Option<()> {
        for inner in self.at_one_point(expr) {
            if let ExprKind::Access { indices, .. } = &inner.kind
                && !self.is_element(indices)
            {
                let text = self.file.source.text().get(inner.span.start..inner.span.end).unwrap_or("…");
                let hint = format!("reduce it: `SUM({text})`");
                return self.not_scalar(inner.span, "a tensor", &hint);
            }
        }
        Some(())
    }

    /// The expressions that an expression computes from at the same point, and not the arguments of sums and
    /// of functions of the file.
    pub(crate) fn at_one_point<'e>(&self, expr: &'e Expr) -> Vec<&'e Expr> {
        let is_apart = matches!(&expr.kind, ExprKind::Call { callee, .. }
            if !matches!(builtin::resolve(callee, self.file.signatures),
                Some(Callee::Builtin(Builtin::Elementwise(_)))));
        let inner = if is_apart { Vec::new() } else { walk::operands(expr) };
        std::iter::once(expr).chain(inner.into_iter().flat_map(|inner| self.at_one_point(inner))).collect()
    }

    /// A product of tensors is one mistake, and the hint reduces the whole of it.
    fn refuse_tensors(&mut self, expr: &Expr, op: BinaryOp) -> Option<()> {
        let is_arithmetic = matches!(
            op,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::ElementwiseMul | BinaryOp::Div
        );
        if !is_arithmetic || !self.reads_tensors(expr) {
            return Some(());
        }
        let text = self.file.source.text().get(expr.span.start..expr.span.end).unwrap_or("…");
        let hint = format!("reduce it: `SUM({text})`");
        self.not_scalar(expr.span, "a tensor expression", &hint)
    }

    /// Whether elements of a tensor are meant outside the arguments of calls.
    fn reads_tensors(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Access { indices, .. } => !self.is_element(indices),
            ExprKind::Call { .. } => false,
            _ => walk::operands(expr).into_iter().any(|operand| self.reads_tensors(operand)),
        }
    }

    fn not_scalar<T>(&mut self, span: Span, found: &str, hint: &str) -> Option<T> {
        let message = format!("found {found}, expected a scalar expression");
        self.refuse(Diagnostic::error(span, message).hint(hint))
    }

    /// Reports another number of arguments than the one expression that is reduced.
    pub(crate) fn count_reduced(&mut self, callee: &Ident, args: &[Expr]) -> Option<()> {
        self.count_arguments(callee, args, 1, &format!("{}(A[i, j])", callee.name))
    }

    /// Returns the reduction whose name differs from that of a called function in case only: `MAX(A[i,j])` of
    /// `max(A[i,j])`.
    fn reduction_meant(&self, callee: &Ident, arg: &Expr) -> Option<String> {
        let is_meant = |word: &&str| *word != callee.name && word.eq_ignore_ascii_case(&callee.name);
        let name = builtin::reductions().find(is_meant)?;
        let text = self.file.source.text().get(arg.span.start..arg.span.end)?;
        Some(format!("{name}({text})"))
    }

    /// Reports another number of arguments than `count`; `usage` shows how it is written.
    pub(crate) fn count_arguments(
        &mut self,
        callee: &Ident,
        args: &[Expr],
        count: usize,
        usage: &str,
    ) -> Option<()> {
        if args.len() == count {
            return Some(());
        }
        let message = format!("`{}` takes {}, found {}", callee.name, counted(count, "argument"), args.len());
        let reduction = args.first().and_then(|arg| self.reduction_meant(callee, arg));
        let other = reduction.map(|call| format!(", or `{call}` for all elements")).unwrap_or_default();
        self.refuse(Diagnostic::error(callee.span, message).hint(format!("write `{usage}`{other}")))
    }
}

fn scalar_op(op: BinaryOp) -> Option<ScalarOp> {
    Some(match op {
        BinaryOp::Add => ScalarOp::Add,
        BinaryOp::Sub => ScalarOp::Sub,
        BinaryOp::Mul | BinaryOp::ElementwiseMul => ScalarOp::Mul,
        BinaryOp::Div => ScalarOp::Div,
        BinaryOp::Eq => ScalarOp::Eq,
        BinaryOp::Ne => ScalarOp::Ne,
        BinaryOp::Lt => ScalarOp::Lt,
        BinaryOp::Le => ScalarOp::Le,
        BinaryOp::Gt => ScalarOp::Gt,
        BinaryOp::Ge => ScalarOp::Ge,
        BinaryOp::Or => ScalarOp::Or,
        BinaryOp::And => ScalarOp::And,
        // `Checker::point` takes these.
        BinaryOp::Semiring(..) | BinaryOp::Monoid(_) => return None,
    })
}

fn result_element(op: ScalarOp, left: Element, right: Element) -> Element {
    match op {
        ScalarOp::Add | ScalarOp::Sub | ScalarOp::Mul | ScalarOp::Div => left.widest(right),
        ScalarOp::Eq
        | ScalarOp::Ne
        | ScalarOp::Lt
        | ScalarOp::Le
        | ScalarOp::Gt
        | ScalarOp::Ge
        | ScalarOp::Or
        | ScalarOp::And => Element::I64,
    }
}
