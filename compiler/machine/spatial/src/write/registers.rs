//! Where registers say `.value`: Scala reads a register where a value of its type is expected, and not where
//! it is to find that type from the arguments, or where the value's own methods are asked for.

use crate::app::{Expr, ExprKind, Kind, Operator};
use std::collections::BTreeSet;

/// A value in which such registers say so.
pub(super) fn spelled(expr: &Expr, registers: &BTreeSet<String>) -> Expr {
    let mut spelled = expr.clone();
    spell(&mut spelled, registers);
    spelled
}

/// A statement without blocks in whose values such registers say so.
pub(super) fn spelled_line(kind: &Kind, registers: &BTreeSet<String>) -> Kind {
    let mut spelled = kind.clone();
    match &mut spelled {
        // In Spatial, a `val` of a register alone is the register, not what it holds here.
        Kind::Val(_, value) => argument(value, registers),
        Kind::Set { value, .. } => spell(value, registers),
        Kind::Write { index, value, .. } | Kind::BarrierWrite { index, value, .. } => {
            [index, value].into_iter().for_each(|of| spell(of, registers));
        }
        Kind::Modify(of) => [&mut of.index, &mut of.value].into_iter().for_each(|of| spell(of, registers)),
        Kind::Enqueue { value, enable, .. } => {
            std::iter::once(value).chain(enable).for_each(|of| spell(of, registers));
        }
        _ => {}
    }
    spelled
}

fn spell(of: &mut Expr, registers: &BTreeSet<String>) {
    match &mut of.kind {
        ExprKind::To(inner, _) | ExprKind::Call(_, inner) => argument(inner, registers),
        ExprKind::Mux(condition, then, otherwise) => {
            spell(condition, registers);
            [then, otherwise].into_iter().for_each(|of| argument(of, registers));
        }
        ExprKind::Binary(Operator::Min | Operator::Max, left, right) => {
            [left, right].into_iter().for_each(|of| argument(of, registers));
        }
        ExprKind::Binary(_, left, right) => [left, right].into_iter().for_each(|of| spell(of, registers)),
        ExprKind::Read(_, inner) | ExprKind::Negate(inner) | ExprKind::Not(inner) => spell(inner, registers),
        ExprKind::Modify(of) => {
            [&mut of.index, &mut of.value].into_iter().for_each(|of| spell(of, registers))
        }
        ExprKind::BarrierRead { index, .. } => spell(index, registers),
        _ => {}
    }
}

/// What a function takes, or what has a method called.
fn argument(of: &mut Expr, registers: &BTreeSet<String>) {
    match &mut of.kind {
        ExprKind::Name(name) if registers.contains(name) => name.push_str(".value"),
        _ => spell(of, registers),
    }
}
