//! `val n: Int = …`: what a value's declaration says of its type.

use comet_diag::Diagnostic;

use super::reader::TextReader;
use super::typed::{Typed, Valued};
use crate::app::{Expr, ExprKind};
use crate::text::tree::TypeName;

impl TextReader {
    /// The value as that type, if one is said. Constants become it.
    pub(super) fn annotated(&self, valued: Valued, of: Option<&TypeName>) -> Result<Valued, Diagnostic> {
        let Some(of) = of else { return Ok(valued) };
        let of = self.types.read(of)?;
        let resolved = self.types.resolve(&of);
        let is_constant = matches!(valued.typed, Typed::Whole | Typed::Fraction);
        let expr = valued.stored_as(&resolved)?;
        let span = expr.span;
        let expr = if is_constant { Expr { kind: ExprKind::To(Box::new(expr), of), span } } else { expr };
        Ok(Valued { expr, typed: Typed::Is(resolved) })
    }
}
