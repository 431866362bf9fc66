//! `var s = …`, `s = …`, and the scalars that the compiler adds itself.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{BinaryOp, Element, Expr, ExprKind, Ident};

use crate::builtin::{self, Builtin, Callee};
use crate::function::Checker;
use crate::names::NameKind;
use crate::program::{ScalarExpr, ScalarId, Stmt, StmtKind};
use crate::scope::{Origin, ScalarInfo};

impl Checker<'_> {
    /// `var s = value`.
    pub(crate) fn var(&mut self, name: &Ident, value: &Expr) -> Option<StmtKind> {
        let prints_bare = matches!(
            builtin::called(value, self.file.signatures),
            Some(Callee::Builtin(Builtin::Reduction(_)))
        );
        let value = self.scalar_expr(value);
        // Where the value has an error, the narrowest type fits all uses, so that they report nothing more.
        let element = value.as_ref().map_or(Element::I64, |value| value.element);
        let element = self.widened_type(element);
        let info = ScalarInfo {
            name: name.name.clone(),
            element,
            origin: Origin::Variable,
            prints_bare,
            assigned: true,
            span: name.span,
        };
        let scalar = self.scope.declare_scalar(name, info, &mut self.diagnostics);
        Some(StmtKind::SetScalar { scalar, value: value? })
    }

    /// The type of the next scalar: that of its first value, or what later values were found to need.
    fn widened_type(&self, first: Element) -> Element {
        let needed = self.widened.get(self.scope.scalars.len()).copied();
        needed.map_or(first, |needed| first.widest(needed))
    }

    /// `s op= value`, which is `s = s op (value)`.
    pub(crate) fn update_scalar(
        &mut self,
        name: &Ident,
        op: BinaryOp,
        value: &Expr,
        span: Span,
    ) -> Option<StmtKind> {
        self.expect_scalar(name, &format!("{}=", <&str>::from(op)))?;
        let left = Expr { kind: ExprKind::Name(name.name.clone()), span: name.span };
        let operands = (Box::new(left), Box::new(value.clone()));
        let kind = ExprKind::Binary { op, op_span: span, left: operands.0, right: operands.1 };
        self.set_scalar(name, &Expr { kind, span })
    }

    /// Refuses a tensor on the left of an assignment to a scalar.
    fn expect_scalar(&mut self, name: &Ident, sign: &str) -> Option<()> {
        if self.scope.kind(&name.name) != Some(NameKind::Tensor) {
            return Some(());
        }
        let message = format!("`{}` is a tensor, expected a scalar on the left of `{sign}`", name.name);
        let sign = if matches!(sign, "+=" | "-=") { sign } else { "=" };
        let hint = if self.scope.has_rank_0(&name.name) {
            format!("the element of a tensor of rank 0 is written with brackets: `{}[] {sign} …`", name.name)
        } else {
            format!("give it its labels: `{}[…] {sign} …`", name.name)
        };
        self.refuse(Diagnostic::error(name.span, message).hint(hint))
    }

    /// `s = value`.
    pub(crate) fn set_scalar(&mut self, name: &Ident, value: &Expr) -> Option<StmtKind> {
        self.expect_scalar(name, "=")?;
        let value = self.scalar_expr(value);
        let scalar = self.scope.scalar(&name.name, name.span, &mut self.diagnostics)?;
        self.scope.scalars[scalar.0].assigned = true;
        let value = value?;
        self.fits_counter(name, scalar, &value)?;
        let info = &self.scope.scalars[scalar.0];
        if info.origin != Origin::Variable {
            let (element, declared) = (info.element, info.span);
            self.check_real((element, Some(declared)), value.element, value.span)?;
        }
        let info = &mut self.scope.scalars[scalar.0];
        if info.origin == Origin::Variable && info.element.widest(value.element) != info.element {
            info.element = info.element.widest(value.element);
            self.grew = true;
        }
        Some(StmtKind::SetScalar { scalar, value })
    }

    /// The variable of a `for` is an `int`, and what it is assigned holds to the end of the iteration.
    fn fits_counter(&mut self, name: &Ident, scalar: ScalarId, value: &ScalarExpr) -> Option<()> {
        let info = &self.scope.scalars[scalar.0];
        if info.origin != Origin::Loop || value.element == Element::I64 {
            return Some(());
        }
        let found = value.element.word();
        let message = format!("`{}`, the variable of a `for`, is an `int`, found a `{found}`", name.name);
        let error = Diagnostic::error(value.span, message).also(info.span, "declared here");
        self.refuse(error.hint("give the value to a `var` of its own"))
    }

    /// A scalar of the compiler's own that takes `value` before the statement under check.
    pub(crate) fn hoist(&mut self, value: ScalarExpr) -> ScalarId {
        let scalar = self.own_scalar(value.element, value.span);
        let span = value.span;
        self.before(StmtKind::SetScalar { scalar, value }, span);
        scalar
    }

    /// A statement that runs before the one under check.
    pub(crate) fn before(&mut self, kind: StmtKind, span: Span) {
        self.hoisted.push(Stmt { kind, span });
    }

    /// A statement that runs after the one under check.
    pub(crate) fn after(&mut self, kind: StmtKind, span: Span) {
        self.deferred.push(Stmt { kind, span });
    }

    /// A scalar of the compiler's own.
    pub(crate) fn own_scalar(&mut self, element: Element, span: Span) -> ScalarId {
        let info = ScalarInfo {
            name: format!("${}", self.scope.scalars.len()),
            element: self.widened_type(element),
            origin: Origin::Variable,
            prints_bare: false,
            assigned: true,
            span,
        };
        self.scope.add_scalar(info)
    }
}
