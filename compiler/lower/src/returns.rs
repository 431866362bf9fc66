//! Bodies without `return`: what follows a branch that may return moves into its other branches, and a value that is
//! returned becomes an assignment to the result.

use comet_diag::{Diagnostic, Span};
use comet_sema::program::{ScalarId, Stmt, StmtKind};

/// The statements of a function's body, none of them a `return`. `result` is the scalar that takes a returned value.
pub(crate) fn structured(body: &[Stmt], result: Option<ScalarId>) -> Result<Vec<Stmt>, Diagnostic> {
    let mut structured_body = Vec::new();
    for (position, stmt) in body.iter().enumerate() {
        match &stmt.kind {
            StmtKind::Return(value) => {
                let assignment = value.clone().zip(result);
                structured_body.extend(assignment.map(|(value, scalar)| Stmt {
                    kind: StmtKind::SetScalar { scalar, value },
                    span: stmt.span,
                }));
                return Ok(structured_body);
            }
            StmtKind::If { condition, then_body, else_body } if return_in(body_of(stmt)).is_some() => {
                let rest = &body[position + 1..];
                let branch = |own: &[Stmt]| structured(&[own, rest].concat(), result);
                let kind = StmtKind::If {
                    condition: condition.clone(),
                    then_body: branch(then_body)?,
                    else_body: branch(else_body)?,
                };
                structured_body.push(Stmt { kind, span: stmt.span });
                return Ok(structured_body);
            }
            _ => {
                if let Some(span) = return_in(body_of(stmt)) {
                    return Err(Diagnostic::not_supported(span, "`return` inside a loop")
                        .hint("leave the loop by its condition"));
                }
                structured_body.push(stmt.clone());
            }
        }
    }
    Ok(structured_body)
}

/// The statements inside a loop or a branch.
fn body_of(stmt: &Stmt) -> Vec<&Stmt> {
    match &stmt.kind {
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => body.iter().collect(),
        StmtKind::If { then_body, else_body, .. } => then_body.iter().chain(else_body).collect(),
        _ => Vec::new(),
    }
}

/// Where the first `return` stands.
fn return_in(stmts: Vec<&Stmt>) -> Option<Span> {
    stmts.into_iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Return(_) => Some(stmt.span),
        _ => return_in(body_of(stmt)),
    })
}
