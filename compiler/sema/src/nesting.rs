//! Refuses trees so deep that the passes, which recurse on them, could run out of stack.

use comet_diag::{Diagnostic, Span};
use comet_syntax::MAX_DEPTH;
use comet_syntax::ast::{Expr, Module, Stmt, StmtKind};

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
        pending.extend(children(&node).into_iter().map(|(child, below)| (child, depth + below)));
    }
    None
}

/// The children of a node, each with how many levels it is below.
fn children<'a>(node: &NestedNode<'a>) -> Vec<(NestedNode<'a>, usize)> {
    match *node {
        NestedNode::Expr(expr) => {
            walk::operands(expr).into_iter().map(|operand| (NestedNode::Expr(operand), 1)).collect()
        }
        NestedNode::Stmt(stmt) => {
            let expressions = walk::expressions(stmt).into_iter().map(|expr| (NestedNode::Expr(expr), 1));
            inner(stmt).chain(expressions).collect()
        }
    }
}

/// The statements of the blocks. An `elif` becomes an `if` in the `else` before it.
fn inner<'a>(stmt: &'a Stmt) -> impl Iterator<Item = (NestedNode<'a>, usize)> {
    let last = match &stmt.kind {
        StmtKind::If { branches, .. } => branches.len(),
        _ => 1,
    };
    stmt.blocks().into_iter().enumerate().flat_map(move |(place, block)| {
        block.iter().map(move |stmt| (NestedNode::Stmt(stmt), std::cmp::min(place + 1, last)))
    })
}
