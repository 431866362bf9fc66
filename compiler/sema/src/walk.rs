//! The children of syntax nodes, for the passes that look at all of them alike.

use comet_diag::Span;
use comet_syntax::ast::{CommandArgKind, Expr, ExprKind, Ident, Index, Schedule, Stmt, StmtKind};

pub(crate) fn operands(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Call { args, .. } | ExprKind::Array(args) => args.iter().collect(),
        ExprKind::Neg(operand) => vec![operand],
        ExprKind::Binary { left, right, .. } => vec![left, right],
        ExprKind::Number(_) | ExprKind::Str(_) | ExprKind::Name(_) | ExprKind::Error => Vec::new(),
        ExprKind::Access { indices, .. } | ExprKind::Transpose { indices, .. } => {
            indices.iter().flat_map(Index::exprs).collect()
        }
    }
}

/// The expressions that a statement holds itself, not those of the statements in its blocks.
pub(crate) fn expressions(stmt: &Stmt) -> Vec<&Expr> {
    match &stmt.kind {
        StmtKind::Label { .. }
        | StmtKind::Tensor(_)
        | StmtKind::Return(None)
        | StmtKind::Break
        | StmtKind::Continue => Vec::new(),
        StmtKind::Var { value, .. } | StmtKind::SetScalar { value, .. } => vec![value],
        StmtKind::Assign(assign) => {
            let schedule = assign.schedule.iter().flat_map(scheduled_expressions);
            let indices = assign.indices.iter().flat_map(Index::exprs);
            indices.chain([&assign.value]).chain(schedule).collect()
        }
        StmtKind::For { bounds, .. } => bounds.iter().collect(),
        StmtKind::While { condition, .. } => vec![condition],
        StmtKind::If { branches, .. } => branches.iter().map(|branch| &branch.condition).collect(),
        StmtKind::Return(Some(value)) | StmtKind::Expr(value) => vec![value],
    }
}

fn scheduled_expressions(schedule: &Schedule) -> Vec<&Expr> {
    let args = schedule.commands.iter().flat_map(|command| &command.args);
    args.filter_map(|arg| match &arg.kind {
        CommandArgKind::Expr(expr) => Some(expr),
        _ => None,
    })
    .collect()
}

pub(crate) fn all_expressions(root: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    let mut pending = vec![root];
    while let Some(expr) = pending.pop() {
        found.push(expr);
        pending.extend(operands(expr).into_iter().rev());
    }
    found
}

/// Every word that an expression uses as a tensor, a scalar or a label.
pub(crate) fn words(root: &Expr) -> Vec<(&str, Span)> {
    let mut found = Vec::new();
    for expr in all_expressions(root) {
        match &expr.kind {
            ExprKind::Name(name) => found.push((name.as_str(), expr.span)),
            ExprKind::Access { tensor, indices } | ExprKind::Transpose { tensor, indices, .. } => {
                let words = std::iter::once(tensor).chain(indices.iter().filter_map(bare_word));
                found.extend(words.map(|word| (word.name.as_str(), word.span)));
            }
            _ => {}
        }
    }
    found
}

/// The word of an index that is in none of its expressions.
pub(crate) fn bare_word(index: &Index) -> Option<&Ident> {
    match index {
        Index::Name(name) => Some(name),
        Index::At(_) => None,
        Index::Window(window) => window.label.as_ref(),
    }
}
