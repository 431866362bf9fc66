//! Statements: which is which, blocks, `return`.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{self, Element, Expr};

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
    fn statement(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) -> Option<()> {
        let kind = match &stmt.kind {
            ast::StmtKind::Label { names, range } => {
                self.declare_labels(names, range.as_ref());
                return Some(());
            }
            ast::StmtKind::Tensor(decl) => {
                self.declare_tensor(decl);
                return Some(());
            }
            ast::StmtKind::For { var, bounds, body } => self.for_loop(var, bounds, body, out)?,
            ast::StmtKind::While { condition, body } => self.while_loop(condition, body, out)?,
            ast::StmtKind::If { condition, then_body, else_body } => {
                let condition = self.hoisting(out, |checker| checker.scalar_expr(condition));
                let then_body = self.inner_block(then_body);
                let else_body = else_body.as_ref().map(|body| self.inner_block(body)).unwrap_or_default();
                StmtKind::If { condition: condition?, then_body, else_body }
            }
            _ => self.hoisting(out, |checker| checker.simple_statement(stmt))?,
        };
        out.push(Stmt { kind, span: stmt.span });
        out.append(&mut self.deferred);
        Some(())
    }

    fn simple_statement(&mut self, stmt: &ast::Stmt) -> Option<StmtKind> {
        match &stmt.kind {
            ast::StmtKind::Var { name, value } => self.var(name, value),
            ast::StmtKind::SetScalar { name, value } => self.set_scalar(name, value),
            ast::StmtKind::Assign(assign) => self.assign(assign),
            ast::StmtKind::Return(value) => self.return_statement(value.as_ref(), stmt.span),
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
        let then_body = self.inner_block(body);
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
                return Some(StmtKind::Return(Some(self.scalar_expr(value)?)));
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
