//! `for i in range(start, stop, step)`: bounds are `int`, as the variable is.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{self, Element, Expr, Ident};

use crate::function::Checker;
use crate::program::{Number, ScalarExpr, ScalarExprKind, Stmt, StmtKind};
use crate::scope::{Origin, ScalarInfo};

impl Checker<'_> {
    /// `for i in range(start, stop, step)`.
    pub(crate) fn for_loop(
        &mut self,
        var: &Ident,
        bounds: &[Expr],
        body: &[ast::Stmt],
        out: &mut Vec<Stmt>,
    ) -> Option<StmtKind> {
        let range = self.hoisting(out, |checker| checker.range(bounds, var.span));
        self.scope.enter();
        let info = ScalarInfo {
            name: var.name.clone(),
            element: Element::I64,
            origin: Origin::Loop,
            prints_bare: false,
            assigned: true,
            span: var.span,
        };
        let scalar = self.scope.declare_scalar(var, info, &mut self.diagnostics);
        let mut inner = Vec::new();
        self.loop_body(body, &mut inner);
        self.scope.leave();
        let (start, stop, step) = range?;
        Some(StmtKind::For { var: scalar, start, stop, step, body: inner })
    }

    fn bound(&mut self, bound: &Expr) -> Option<ScalarExpr> {
        let bound = self.scalar_expr(bound)?;
        if bound.element == Element::I64 {
            return Some(bound);
        }
        let message = format!("a bound of `range` is an `int`, found a `{}`", bound.element.word());
        self.refuse(
            Diagnostic::error(bound.span, message).hint("leave out the fraction, or count in a `while` loop"),
        )
    }

    fn range(&mut self, bounds: &[Expr], span: Span) -> Option<(ScalarExpr, ScalarExpr, ScalarExpr)> {
        let count = bounds.len();
        let checked: Vec<Option<ScalarExpr>> = bounds.iter().map(|bound| self.bound(bound)).collect();
        let mut bounds = checked.into_iter().collect::<Option<Vec<ScalarExpr>>>()?.into_iter();
        let number = |value, span| ScalarExpr {
            kind: ScalarExprKind::Number(Number::Int(value)),
            element: Element::I64,
            span,
        };
        let range = match (bounds.next(), bounds.next(), bounds.next()) {
            (Some(stop), None, None) => (number(0, stop.span), stop.clone(), number(1, stop.span)),
            (Some(start), Some(stop), None) => (start, stop.clone(), number(1, stop.span)),
            (Some(start), Some(stop), Some(step)) if count == 3 => (start, stop, step),
            _ => {
                let message = format!("`range` takes one to three bounds, found {count}");
                return self
                    .refuse(Diagnostic::error(span, message).hint("write `range(start, stop, step)`"));
            }
        };
        if range.2.kind == ScalarExprKind::Number(Number::Int(0)) {
            let message = "the step of `range` is 0, which never reaches the end";
            return self.refuse(Diagnostic::error(range.2.span, message).hint("step by 1 or more, or by -1"));
        }
        Some(range)
    }
}
