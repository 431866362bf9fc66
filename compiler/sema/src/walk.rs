//! The children of syntax nodes, for the passes that look at all of them alike.

use comet_diag::Span;
use comet_syntax::ast::{CommandArgKind, Expr, ExprKind, Ident, Schedule, Stmt, StmtKind};

pub(crate) fn operands(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Call { args, .. } | ExprKind::Array(args) => args.iter().collect(),
        ExprKind::Neg(operand) => vec![operand],
        ExprKind::Binary { left, right, .. } => vec![left, right],
        ExprKind::Number(_)
        | ExprKind::Str(_)
        | ExprKind::Name(_)
        | ExprKind::Access { .. }
        | ExprKind::Transpose { .. }
        | ExprKind::Error => Vec::new(),
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
            std::iter::once(&assign.value).chain(schedule).collect()
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
    let spelled = |ident: &Ident| ident.span;
    let mut found = Vec::new();
    for expr in all_expressions(root) {
        match &expr.kind {
            ExprKind::Name(name) => found.push((name.as_str(), expr.span)),
            ExprKind::Access { tensor, indices } | ExprKind::Transpose { tensor, indices, .. } => {
                let words = std::iter::once(tensor).chain(indices);
                found.extend(words.map(|word| (word.name.as_str(), spelled(word))));
            }
            _ => {}
        }
    }
    found
}
