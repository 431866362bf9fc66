//! What an expression and a schedule consist of. Accesses and expressions are those of the `.ta` tree, which
//! differ in their brackets only.

use comet_diag::Span;
use comet_syntax::ast::{AssignOp, Expr, Ident, Index};

/// `y(i) = A(i,j) * x(j)`.
pub(crate) struct Assignment {
    pub(crate) tensor: Ident,
    pub(crate) indices: Vec<Index>,
    /// `y(i)`.
    pub(crate) target: Span,
    /// `=` or `+=`.
    pub(crate) op: AssignOp,
    pub(crate) value: Expr,
}

/// A tensor with its indices and its place.
pub(crate) struct NotationAccess {
    pub(crate) tensor: Ident,
    pub(crate) indices: Vec<Index>,
    pub(crate) span: Span,
}

/// `split(i, i0, i1, 32)`.
pub(crate) struct NotationCommand {
    pub(crate) name: Ident,
    pub(crate) arguments: Vec<NotationArgument>,
    pub(crate) span: Span,
}

pub(crate) struct NotationArgument {
    pub(crate) kind: ArgumentKind,
    pub(crate) span: Span,
}

pub(crate) enum ArgumentKind {
    /// An expression; a bare word is an access without indices.
    Expr(Expr),
    /// `{i, j}`.
    List(Vec<Ident>),
}
