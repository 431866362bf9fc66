//! Expressions with as few parentheses as their precedences allow.

use super::pieces::{access, binary_op, joined, names, number};
use crate::ast::{BinaryOp, Expr, ExprKind, Number};
use crate::lexer;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Unary,
    Primary,
}

/// Prints expressions; numbers keep the spelling they have in `text`.
#[derive(Clone, Copy)]
pub(crate) struct ExprPrinter<'source> {
    pub(crate) text: &'source str,
}

impl ExprPrinter<'_> {
    pub(crate) fn whole(self, expr: &Expr) -> String {
        self.at_least(expr, Precedence::Or)
    }

    /// As a statement: `A[i] < M >= x` would be read as the masked assignment `A[i]<M> = x` there, and a
    /// scalar that is named `break` as the word.
    pub(super) fn statement(self, expr: &Expr) -> String {
        let text = self.whole(expr);
        let is_misread = looks_like_a_mask(expr) || matches!(text.as_str(), "break" | "continue");
        if is_misread { format!("({text})") } else { text }
    }

    pub(super) fn list(self, exprs: &[Expr]) -> String {
        joined(exprs, ", ", |expr| self.whole(expr))
    }

    fn at_least(self, expr: &Expr, wanted: Precedence) -> String {
        let text = self.bare(expr);
        if precedence(expr) < wanted { format!("({text})") } else { text }
    }

    fn bare(self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Number(value) => self.number(value, expr),
            ExprKind::Str(text) => format!("\"{text}\""),
            ExprKind::Name(name) => name.clone(),
            ExprKind::Access { tensor, indices } => access(self, tensor, indices),
            ExprKind::Call { callee, args } => format!("{}({})", callee.name, self.list(args)),
            ExprKind::Neg(operand) => format!("-{}", self.at_least(operand, Precedence::Unary)),
            ExprKind::Binary { op, left, right, .. } => self.binary(*op, left, right),
            ExprKind::Transpose { tensor, indices, permuted } => {
                format!("transpose({}, {{{}}})", access(self, tensor, indices), names(permuted))
            }
            ExprKind::Array(items) => format!("[{}]", self.list(items)),
            ExprKind::Error => "?".to_owned(),
        }
    }

    /// All levels associate to the left, so only a right operand of the same level needs parentheses; and a
    /// sum on the left of a sum keeps those it has, since they make it one term: `(b[j] + c[j]) + e[i]` is
    /// not `b[j] + c[j] + e[i]`.
    fn binary(self, op: BinaryOp, left: &Expr, right: &Expr) -> String {
        let (here, tighter) = levels(op);
        let is_term = here == Precedence::Sum && precedence(left) == here && left.is_grouped();
        let (left, right) =
            (self.at_least(left, if is_term { tighter } else { here }), self.at_least(right, tighter));
        format!("{left} {} {right}", binary_op(op))
    }

    /// `1e-3` stays as it is; what is not in the text, or not this number there, is written canonically.
    fn number(self, value: &Number, expr: &Expr) -> String {
        let written = self.text.get(expr.span.start..expr.span.end).unwrap_or_default();
        let written = written.trim_matches(|c: char| c == '(' || c == ')' || c.is_whitespace());
        let is_one = written.starts_with(|first: char| first.is_ascii_digit() || first == '.');
        if is_one && lexer::number(written) == *value { written.to_owned() } else { number(value) }
    }
}

fn precedence(expr: &Expr) -> Precedence {
    match &expr.kind {
        ExprKind::Binary { op, .. } => levels(*op).0,
        ExprKind::Neg(_) => Precedence::Unary,
        _ => Precedence::Primary,
    }
}

/// The level of an operator and the next one.
fn levels(op: BinaryOp) -> (Precedence, Precedence) {
    use Precedence::{And, Comparison, Or, Product, Sum, Unary};
    match op {
        BinaryOp::Or => (Or, And),
        BinaryOp::And => (And, Comparison),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
            (Comparison, Sum)
        }
        BinaryOp::Add | BinaryOp::Sub => (Sum, Product),
        BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::ElementwiseMul
        | BinaryOp::Semiring(..)
        | BinaryOp::Monoid(_) => (Product, Unary),
    }
}

/// Whether the text of the expression begins `A[…] < M >=`.
fn looks_like_a_mask(expr: &Expr) -> bool {
    let ExprKind::Binary { op, left, .. } = &expr.kind else { return false };
    (*op == BinaryOp::Ge && is_less_than_name(left)) || looks_like_a_mask(left)
}

fn is_less_than_name(expr: &Expr) -> bool {
    let ExprKind::Binary { op: BinaryOp::Lt, left, right, .. } = &expr.kind else { return false };
    matches!(left.kind, ExprKind::Access { .. }) && matches!(right.kind, ExprKind::Name(_))
}
