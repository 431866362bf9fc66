//! Statements: which is which, blocks, `return`.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{self, Expr};

use crate::function::Checker;
use crate::program::{ParamId, Stmt, StmtKind};

impl Checker<'_> {
    /// Checks the statements of a block and adds those that remain to `out`.
    pub(crate) fn block(&mut self, body: &[ast::Stmt], out: &mut Vec<Stmt>) {
        for stmt in body {
            if self.statement(stmt, out).is_none() {
                self.poison(stmt);
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
            ast::StmtKind::While { condition, body } => {
                // The condition is evaluated again and again, so nothing can be hoisted out of it.
                let condition = self.scalar_expr(condition);
                let body = self.inner_block(body);
                StmtKind::While { condition: condition?, body }
            }
            ast::StmtKind::If { condition, then_body, else_body } => {
                let condition = self.hoisting(out, |checker| checker.scalar_expr(condition));
                let then_body = self.inner_block(then_body);
                let else_body = else_body.as_ref().map(|body| self.inner_block(body)).unwrap_or_default();
                StmtKind::If { condition: condition?, then_body, else_body }
            }
            _ => self.hoisting(out, |checker| checker.simple_statement(stmt))?,
        };
        out.push(Stmt { kind, span: stmt.span });
        Some(())
    }

    /// Statements without blocks.
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
        self.hoisted = Some(Vec::new());
        let checked = check(self);
        out.extend(self.hoisted.take().into_iter().flatten());
        checked
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
            _ => "write `return`, or declare a result: `-> double s`".to_owned(),
        };
        let message = format!("`{}` has no scalar result, found a value after `return`", self.ast.name.name);
        self.diagnostics
            .push(Diagnostic::error(span, message).also(self.ast.name.span, "declared here").hint(hint));
        None
    }
}
