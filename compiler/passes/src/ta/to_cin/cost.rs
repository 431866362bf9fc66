//! What a plan costs, as an exponent of an extent n: exponents of loops one inside the other add up, and of
//! what runs one after the other the dearest counts.

use super::expr::{Expr, Operand};
use super::order::Loop;
use super::plan::{Compute, Nest};
use crate::exponent::{DENSE, of_copy, of_level, share_of_remainder};
use comet_format::LevelExpr;

/// The cost of a plan, without what becomes of its result. A copy reads all entries of an operand, so that a
/// plan with one costs as much at least, however few of them its loops visit.
pub(super) fn of(plan: &Compute<'_>) -> f64 {
    let outer: f64 = plan.outer.iter().map(|item| largest(plan, *item)).sum();
    let dearest = plan.nests.iter().map(nest).fold(0.0, f64::max);
    let copied = || plan.nests.iter().flat_map(|nest| &nest.conversions);
    let read = copied().map(|copy| entries(&copy.access)).fold(0.0, f64::max);
    let written: f64 = copied().map(|copy| of_copy(copy.format.rank)).sum();
    read.max(outer + dearest) + written
}

/// How many entries an operand stores.
fn entries(access: &Operand<'_>) -> f64 {
    let share = |expr| match expr {
        LevelExpr::Mode(_) => 1.0,
        LevelExpr::Div(_, factor) => 1.0 - share_of_remainder(factor),
        LevelExpr::Mod(_, factor) => share_of_remainder(factor),
        LevelExpr::Slot => 0.0,
    };
    let levels = access.format().levels.into_iter().enumerate();
    levels.map(|(number, level)| share(level.expr) * of_level(number, level.kind)).sum()
}

fn largest(plan: &Compute<'_>, item: Loop) -> f64 {
    plan.nests.iter().map(|nest| iterations(nest, &nest.value, item)).fold(0.0, f64::max)
}

fn nest(nest: &Nest<'_>) -> f64 {
    let loops: f64 = nest.loops.iter().map(|item| iterations(nest, &nest.value, *item)).sum();
    loops + sums(nest, &nest.value)
}

/// The dearest of the sums that are computed inside the loops.
fn sums(nest: &Nest<'_>, value: &Expr<'_>) -> f64 {
    let inside = value.children().into_iter().map(|child| sums(nest, child)).fold(0.0, f64::max);
    let Expr::Reduce { labels, body, .. } = value else { return inside };
    let loops = nest.constraints.loops(labels);
    inside + loops.iter().map(|item| iterations(nest, body, *item)).sum::<f64>()
}

/// How often a loop runs for a value. One over a part of a label has that share of the iterations.
fn iterations(nest: &Nest<'_>, value: &Expr<'_>, item: Loop) -> f64 {
    let share = match item {
        Loop::Label(_) => 1.0,
        Loop::Quotient(_, factor) => 1.0 - share_of_remainder(factor),
        Loop::Remainder(_, factor) => share_of_remainder(factor),
    };
    share * visited(nest, value, item)
}

/// How much of what a loop goes over is visited for a value: what is combined intersects, what is added
/// unites.
fn visited(nest: &Nest<'_>, value: &Expr<'_>, item: Loop) -> f64 {
    match value {
        Expr::Access(access) => stored(nest, access, item),
        Expr::Scalar(_) => DENSE,
        Expr::Combine(_, left, right) => visited(nest, left, item).min(visited(nest, right, item)),
        Expr::Add(left, right) | Expr::Sub(left, right) | Expr::Unite(_, left, right) => {
            visited(nest, left, item).max(visited(nest, right, item))
        }
        Expr::Mask { value, mask, complement: false } => {
            visited(nest, value, item).min(visited(nest, mask, item))
        }
        Expr::Mask { value, .. }
        | Expr::Cast(value, _)
        | Expr::Neg(value)
        | Expr::Apply(_, value)
        | Expr::Drop { value, .. }
        | Expr::Reduce { body: value, .. } => visited(nest, value, item),
    }
}

/// A level that stores whole indices finds a part of one in no time, but leaves no coordinate out.
fn stored(nest: &Nest<'_>, access: &Operand<'_>, item: Loop) -> f64 {
    let copy = nest.conversions.iter().find(|conversion| conversion.access == *access);
    let format = copy.map_or_else(|| access.format(), |copy| copy.format.clone());
    let own = |expr: LevelExpr| match (expr, item) {
        (LevelExpr::Mode(mode), Loop::Label(label))
        | (LevelExpr::Div(mode, _), Loop::Label(label) | Loop::Quotient(label, _))
        | (LevelExpr::Mod(mode, _), Loop::Label(label) | Loop::Remainder(label, _)) => {
            access.labels[mode] == label
        }
        _ => false,
    };
    let Some(level) = format.levels.iter().position(|level| own(level.expr)) else { return DENSE };
    of_level(level, format.levels[level].kind)
}
