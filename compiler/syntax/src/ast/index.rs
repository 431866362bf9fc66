//! What stands in the brackets of an access.

use comet_diag::Span;

use super::{BinaryOp, Expr, ExprKind, Ident};

#[derive(Clone, Debug, PartialEq)]
pub enum Index {
    /// `i`: a label, or a scalar.
    Name(Ident),
    /// `2`, `n + 1`: one coordinate. `i + 1`: a label, shifted by a number.
    At(Expr),
    /// `0:8`.
    Window(Box<Window>),
}

/// `i in 0:8:2`: coordinates from `lo` to below `hi`, where absent from the first to the last one.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// What goes over its coordinates, counted from 0.
    pub label: Option<Ident>,
    pub lo: Option<Expr>,
    pub hi: Option<Expr>,
    pub step: Option<Expr>,
    pub span: Span,
}

impl Index {
    pub fn span(&self) -> Span {
        match self {
            Self::Name(name) => name.span,
            Self::At(expr) => expr.span,
            Self::Window(window) => window.span,
        }
    }

    /// Returns the word, where it is nothing else.
    pub fn name(&self) -> Option<&Ident> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the word that goes over coordinates if it is a label: `i` of `i`, `i + 1` and `i in 0:8`.
    pub fn label(&self) -> Option<Ident> {
        match self {
            Self::Name(name) => Some(name.clone()),
            Self::At(_) => self.shifted().map(|(label, _)| label),
            Self::Window(window) => window.label.clone(),
        }
    }

    /// Returns the word and the number that is added to it, where the index is such a sum. Whether the word
    /// is a label is for semantic analysis.
    pub fn shifted(&self) -> Option<(Ident, i64)> {
        let Self::At(Expr { kind: ExprKind::Binary { op, left, right, .. }, .. }) = self else { return None };
        match (&left.kind, op, &right.kind) {
            (ExprKind::Name(name), BinaryOp::Add, ExprKind::Number(by)) => {
                Some((Ident { name: name.clone(), span: left.span }, by.integer?))
            }
            (ExprKind::Name(name), BinaryOp::Sub, ExprKind::Number(by)) => {
                Some((Ident { name: name.clone(), span: left.span }, by.integer?.checked_neg()?))
            }
            (ExprKind::Number(by), BinaryOp::Add, ExprKind::Name(name)) => {
                Some((Ident { name: name.clone(), span: right.span }, by.integer?))
            }
            _ => None,
        }
    }

    /// Returns the expressions in it; a bare word is none.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Self::Name(_) => Vec::new(),
            Self::At(expr) => vec![expr],
            Self::Window(window) => [&window.lo, &window.hi, &window.step].into_iter().flatten().collect(),
        }
    }
}
