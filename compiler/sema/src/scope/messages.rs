//! What is said of names that are unknown, repeated or something else.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::Ident;

use crate::names::NameKind;

pub(super) fn declared_twice(name: &Ident, kind: NameKind, first_kind: NameKind, first: Span) -> Diagnostic {
    let what = if kind == first_kind { String::new() } else { format!(", as a {first_kind}") };
    Diagnostic::error(name.span, format!("{kind} `{}` is declared already{what}", name.name))
        .also(first, "declared here first")
        .hint("rename one of the two, or remove this one")
}

pub(super) fn out_of_sight(kind: NameKind, name: &str, span: Span, declaration: Span) -> Diagnostic {
    if declaration.start > span.start {
        return Diagnostic::error(span, format!("{kind} `{name}` is used before its declaration"))
            .also(declaration, "declared here")
            .hint("move the declaration up");
    }
    Diagnostic::error(span, format!("{kind} `{name}` is not visible here"))
        .also(declaration, "declared inside a block, which has ended")
        .hint("declare it before the block and assign it inside")
}

pub(super) fn wrong_kind(
    kind: NameKind,
    name: &str,
    span: Span,
    (found, declaration): (NameKind, Span),
) -> Diagnostic {
    let hint = match (kind, found) {
        (NameKind::Scalar, NameKind::Tensor) => {
            format!("in a scalar expression, reduce it: `SUM({name}[…])`")
        }
        (NameKind::Tensor, NameKind::Scalar) => format!("a scalar has no labels: write `{name}`"),
        (_, NameKind::Label) => "a label has no value; it only says which elements are meant".to_owned(),
        _ => format!("declare a {kind} of another name"),
    };
    Diagnostic::error(span, format!("expected a {kind}, found the {found} `{name}`"))
        .also(declaration, "declared here")
        .hint(hint)
}

/// A tensor of rank 0 where a scalar is expected: its element is one, and only the brackets are missing.
pub(super) fn element_of_rank_0(name: &str, span: Span, declaration: Span) -> Diagnostic {
    Diagnostic::error(span, format!("expected a scalar, found the tensor `{name}`"))
        .also(declaration, "declared here")
        .hint(format!("the element of a tensor of rank 0 is written with brackets: `{name}[]`"))
}

pub(super) fn how_to_declare(kind: NameKind, name: &str) -> String {
    match kind {
        NameKind::Label => format!("declare it: `IndexLabel [{name}] = [?]`"),
        NameKind::Tensor => format!("declare it: `Tensor<double> {name}([i, j], Dense)`"),
        NameKind::Scalar => format!("declare it: `var {name} = 0`"),
    }
}
