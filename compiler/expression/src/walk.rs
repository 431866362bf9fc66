//! What the statements of an expression name.

use comet_syntax::ast::{Assign, Expr, ExprKind, Ident, Index, Stmt, StmtKind};

/// A tensor with what stands in the brackets behind it.
pub(crate) struct NamedAccess<'e> {
    pub(crate) tensor: &'e Ident,
    pub(crate) indices: &'e [Index],
}

/// All accesses of statements, in the order of the text, their targets and masks among them; a mask has the
/// indices of the target.
pub(crate) fn accesses(statements: &[Stmt]) -> Vec<NamedAccess<'_>> {
    let mut found = Vec::new();
    for stmt in comet_syntax::ast::statements(statements) {
        if let StmtKind::Assign(Assign { tensor, indices, mask, .. }) = &stmt.kind {
            found.push(NamedAccess { tensor, indices });
            found.extend(mask.iter().map(|mask| NamedAccess { tensor: &mask.tensor, indices }));
            indices.iter().flat_map(Index::exprs).for_each(|expr| collect(expr, &mut found));
        }
        exprs(stmt).into_iter().for_each(|expr| collect(expr, &mut found));
    }
    found
}

/// The words of statements that are neither tensors with indices nor labels: scalars, or whole tensors.
pub(crate) fn words(statements: &[Stmt]) -> Vec<Ident> {
    let mut found = Vec::new();
    let mut visit = |expr: &Expr| {
        if let ExprKind::Name(name) = &expr.kind {
            found.push(Ident { name: name.clone(), span: expr.span });
        }
    };
    for stmt in comet_syntax::ast::statements(statements) {
        exprs(stmt).into_iter().for_each(|expr| for_each(expr, &mut visit));
        if let StmtKind::Assign(assign) = &stmt.kind {
            assign.indices.iter().flat_map(Index::exprs).for_each(|expr| for_each(expr, &mut visit));
        }
    }
    found
}

/// The functions that statements call.
pub(crate) fn callees(statements: &[Stmt]) -> Vec<&str> {
    let mut found = Vec::new();
    for stmt in comet_syntax::ast::statements(statements) {
        exprs(stmt).into_iter().for_each(|expr| collect_callees(expr, &mut found));
    }
    found
}

fn collect_callees<'e>(expr: &'e Expr, found: &mut Vec<&'e str>) {
    if let ExprKind::Call { callee, .. } = &expr.kind {
        found.push(&callee.name);
    }
    children(expr).into_iter().for_each(|child| collect_callees(child, found));
}

/// The scalars that statements declare or set.
pub(crate) fn scalars(statements: &[Stmt]) -> Vec<&Ident> {
    let set = comet_syntax::ast::statements(statements).into_iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Var { name, .. } | StmtKind::SetScalar { name, .. } => Some(name),
        StmtKind::For { var, .. } => Some(var),
        _ => None,
    });
    set.collect()
}

fn exprs(stmt: &Stmt) -> Vec<&Expr> {
    match &stmt.kind {
        StmtKind::Var { value, .. } | StmtKind::SetScalar { value, .. } => vec![value],
        StmtKind::Assign(assign) => vec![&assign.value],
        StmtKind::For { bounds, .. } => bounds.iter().collect(),
        StmtKind::While { condition, .. } => vec![condition],
        StmtKind::If { branches, .. } => branches.iter().map(|branch| &branch.condition).collect(),
        StmtKind::Return(value) => value.iter().collect(),
        StmtKind::Expr(value) => vec![value],
        StmtKind::Label { .. } | StmtKind::Tensor(_) | StmtKind::Break | StmtKind::Continue => Vec::new(),
    }
}

fn collect<'e>(expr: &'e Expr, found: &mut Vec<NamedAccess<'e>>) {
    if let ExprKind::Access { tensor, indices } | ExprKind::Transpose { tensor, indices, .. } = &expr.kind {
        found.push(NamedAccess { tensor, indices });
    }
    children(expr).into_iter().for_each(|child| collect(child, found));
}

fn for_each(expr: &Expr, visit: &mut impl FnMut(&Expr)) {
    visit(expr);
    children(expr).into_iter().for_each(|child| for_each(child, visit));
}

fn children(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Access { indices, .. } | ExprKind::Transpose { indices, .. } => {
            indices.iter().flat_map(Index::exprs).collect()
        }
        ExprKind::Call { args, .. } | ExprKind::Array(args) => args.iter().collect(),
        ExprKind::Neg(operand) => vec![operand],
        ExprKind::Binary { left, right, .. } => vec![left, right],
        ExprKind::Number(_) | ExprKind::Str(_) | ExprKind::Name(_) | ExprKind::Error => Vec::new(),
    }
}
