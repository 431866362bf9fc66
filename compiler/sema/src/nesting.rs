//! Refuses trees so deep that the passes, which recurse on them, could run out of stack.

use comet_diag::{Diagnostic, Span};
use comet_syntax::MAX_DEPTH;
use comet_syntax::ast::{Expr, Module, Stmt};

use crate::walk;

/// One error for each function that nests too deep.
pub(crate) fn check(module: &Module) -> Vec<Diagnostic> {
    module.functions.iter().filter_map(|function| too_deep(&function.body)).map(message).collect()
}

fn message(span: Span) -> Diagnostic {
    Diagnostic::error(span, format!("this is nested more than {MAX_DEPTH} levels deep"))
        .hint("compute a part of it into a tensor or a `var` first; each operator of a chain is a level")
}

enum NestedNode<'a> {
    Stmt(&'a Stmt),
    Expr(&'a Expr),
}

fn too_deep(body: &[Stmt]) -> Option<Span> {
    let mut pending: Vec<(NestedNode<'_>, usize)> =
        body.iter().map(|stmt| (NestedNode::Stmt(stmt), 1)).collect();
    while let Some((node, depth)) = pending.pop() {
        if depth > MAX_DEPTH {
            return Some(match node {
                NestedNode::Stmt(stmt) => stmt.span,
                NestedNode::Expr(expr) => expr.span,
            });
        }
        pending.extend(children(&node).into_iter().map(|child| (child, depth + 1)));
    }
    None
}

fn children<'a>(node: &NestedNode<'a>) -> Vec<NestedNode<'a>> {
    match *node {
        NestedNode::Expr(expr) => walk::operands(expr).into_iter().map(NestedNode::Expr).collect(),
        NestedNode::Stmt(stmt) => {
            let inner = stmt.blocks().into_iter().flatten().map(NestedNode::Stmt);
            inner.chain(walk::expressions(stmt).into_iter().map(NestedNode::Expr)).collect()
        }
    }
}
