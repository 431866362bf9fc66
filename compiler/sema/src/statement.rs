//! Statements: which is which, blocks, `return`, `break` and `continue`.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{self, Branch, Element, Expr};

use crate::function::Checker;
use crate::program::{Number, ParamId, ScalarExpr, ScalarExprKind, Stmt, StmtKind};

impl Checker<'_> {
    /// Checks the statements of a block and adds those that remain to `out`.
    pub(crate) fn block(&mut self, body: &[ast::Stmt], out: &mut Vec<Stmt>) {
        for stmt in body {
            let tensors = self.scope.tensors.len();
            if self.statement(stmt, out).is_none() {
                self.deferred.clear();
                self.poison(stmt, tensors);
            }
        }
    }

    fn inner_block(&mut self, body: &[ast::Stmt]) -> Vec<Stmt> {
        let mut out = Vec::new();
        self.scope.enter();
        self.block(body, &mut out);
        self.scope.leave();
        out
    }

    /// `None` where an error was reported.
    ///
    /// Blocks may be nested deeply: each kind of statement has a function, and so frames, of its own.
    fn statement(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) -> Option<()> {
        match &stmt.kind {
            ast::StmtKind::If { branches, else_body } => {
                let else_body = else_body.as_deref().unwrap_or_default();
                self.branches((branches, else_body), stmt.span, out)
            }
            ast::StmtKind::For { .. } | ast::StmtKind::While { .. } => self.loop_statement(stmt, out),
            _ => self.plain_statement(stmt, out),
        }
    }

    fn loop_statement(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) -> Option<()> {
        let kind = match &stmt.kind {
            ast::StmtKind::For { var, bounds, body } => self.for_loop(var, bounds, body, out)?,
            ast::StmtKind::While { condition, body } => self.while_loop(condition, body, out)?,
            _ => return None,
        };
        out.push(Stmt { kind, span: stmt.span });
        Some(())
    }

    fn plain_statement(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) -> Option<()> {
        match &stmt.kind {
            ast::StmtKind::Label { names, range } => self.declare_labels(names, range.as_ref()),
            ast::StmtKind::Tensor(decl) => self.declare_tensor(decl),
            _ => {
                let kind = self.hoisting(out, |checker| checker.simple_statement(stmt))?;
                out.push(Stmt { kind, span: stmt.span });
                out.append(&mut self.deferred);
            }
        }
        Some(())
    }

    /// An `elif` is an `if` in the `else` before it, and runs what its condition needs there.
    fn branches(
        &mut self,
        (branches, else_body): (&[Branch], &[ast::Stmt]),
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let (Branch { condition, body }, rest) = branches.split_first()?;
        let condition = self.hoisting(out, |checker| checker.scalar_expr(condition).map(Box::new));
        let then_body = self.inner_block(body);
        let mut inner = Vec::new();
        match rest.first() {
            None => inner = self.inner_block(else_body),
            Some(next) => {
                let span = Span::new(next.condition.span.start, span.end);
                self.branches((rest, else_body), span, &mut inner)?;
            }
        }
        out.push(conditional(*condition?, [then_body, inner], span));
        Some(())
    }

    /// The statements that a loop repeats.
    pub(crate) fn loop_body(&mut self, body: &[ast::Stmt], out: &mut Vec<Stmt>) {
        self.loops += 1;
        self.block(body, out);
        self.loops -= 1;
    }

    /// `break` and `continue` are for the innermost loop.
    fn jump(&mut self, kind: StmtKind, word: &str, span: Span) -> Option<StmtKind> {
        if self.loops > 0 {
            return Some(kind);
        }
        let error = Diagnostic::error(span, format!("`{word}` stands outside of a loop"));
        self.refuse(error.hint("write it in a `for` or a `while`; `return` ends the function"))
    }

    fn simple_statement(&mut self, stmt: &ast::Stmt) -> Option<StmtKind> {
        match &stmt.kind {
            ast::StmtKind::Var { name, value } => self.var(name, value),
            ast::StmtKind::SetScalar { name, op: None, value } => self.set_scalar(name, value),
            ast::StmtKind::SetScalar { name, op: Some(op), value } => {
                self.update_scalar(name, *op, value, stmt.span)
            }
            ast::StmtKind::Assign(assign) => self.assign(assign),
            ast::StmtKind::Return(value) => self.return_statement(value.as_ref(), stmt.span),
            ast::StmtKind::Break => self.jump(StmtKind::Break, "break", stmt.span),
            ast::StmtKind::Continue => self.jump(StmtKind::Continue, "continue", stmt.span),
            ast::StmtKind::Expr(expr) => self.effect(expr),
            // `statement` takes declarations and statements with blocks.
            _ => None,
        }
    }

    /// Runs `check`, and puts what it must have computed beforehand before its statement.
    pub(crate) fn hoisting<T>(&mut self, out: &mut Vec<Stmt>, check: impl FnOnce(&mut Self) -> T) -> T {
        let checked = check(self);
        out.append(&mut self.hoisted);
        checked
    }

    /// The condition is evaluated again and again. What must run before it does so as well: the loop then
    /// goes on while a scalar of the compiler's own says so, which is set from the condition inside.
    fn while_loop(&mut self, condition: &Expr, body: &[ast::Stmt], out: &mut Vec<Stmt>) -> Option<StmtKind> {
        let mut iteration = Vec::new();
        let checked = self.hoisting(&mut iteration, |checker| checker.scalar_expr(condition));
        let mut then_body = Vec::new();
        self.scope.enter();
        self.loop_body(body, &mut then_body);
        self.scope.leave();
        let checked = checked?;
        if iteration.is_empty() {
            return Some(StmtKind::While { condition: checked, body: then_body });
        }
        let span = condition.span;
        let (element, goes_on) = (checked.element, self.own_scalar(checked.element, span));
        let at = |kind| Stmt { kind, span };
        let scalar = |kind, element| ScalarExpr { kind, element, span };
        let one = scalar(ScalarExprKind::Number(Number::Int(1)), Element::I64);
        let asked = scalar(ScalarExprKind::Scalar(goes_on), element);
        out.push(at(StmtKind::SetScalar { scalar: goes_on, value: one }));
        iteration.push(at(StmtKind::SetScalar { scalar: goes_on, value: checked }));
        let branch = StmtKind::If { condition: asked.clone(), then_body, else_body: Vec::new() };
        iteration.push(at(branch));
        Some(StmtKind::While { condition: asked, body: iteration })
    }

    fn return_statement(&mut self, value: Option<&Expr>, span: Span) -> Option<StmtKind> {
        let Some(value) = value else { return Some(StmtKind::Return(None)) };
        self.returns_value = true;
        let hint = match (self.result, &self.signature.result) {
            (Some(ParamId::Scalar(_)), _) => {
                let result = self.signature.result.as_ref();
                let (element, declared) =
                    result.map_or((Element::F64, span), |result| (result.element, result.span));
                let value = self.scalar_expr(value)?;
                self.check_real((element, Some(declared)), value.element, value.span)?;
                return Some(StmtKind::Return(Some(value)));
            }
            (Some(ParamId::Tensor(_)), Some(result)) => {
                format!("assign `{}` by name and write `return`", result.name.name)
            }
            _ if self.ast.name.name == "main" => "write `return`; `print` shows a value".to_owned(),
            _ => "write `return`, or declare a result: `-> double s`".to_owned(),
        };
        let message = format!("`{}` has no scalar result, found a value after `return`", self.ast.name.name);
        self.refuse(Diagnostic::error(span, message).also(self.ast.name.span, "declared here").hint(hint))
    }
}

fn conditional(condition: ScalarExpr, [then_body, else_body]: [Vec<Stmt>; 2], span: Span) -> Stmt {
    Stmt { kind: StmtKind::If { condition, then_body, else_body }, span }
}
