//! What a plan costs, as an exponent of an extent n: loops one inside the other multiply, so their exponents
//! add up, and of what runs one after the other the dearest counts.

use super::expr::{Access, Expr};
use super::order::Loop;
use super::plan::{Compute, Conversion, Nest};
use comet_runtime::format::{LevelExpr, LevelKind};

/// A loop over every coordinate: n rounds.
const DENSE: f64 = 1.0;
/// A loop over the coordinates stored in the outermost level of an operand: up to n of them.
const ROOT: f64 = 0.9;
/// A loop over those stored under one parent: far fewer.
const CHILD: f64 = 0.5;
/// A copy of a matrix in another order takes time linear in its entries.
const TURNED_MATRIX: f64 = 0.05;
/// Points are sorted, and take more memory than entries.
const POINTS: f64 = 0.3;
/// So are the entries of a copy of higher rank, before anything is computed.
const SORTED_COPY: f64 = POINTS + 0.05;

/// The cost of a plan for a sparse target.
pub(super) fn of(plan: &Compute<'_>) -> f64 {
    let outer: f64 = plan.outer.iter().map(|item| largest(plan, *item)).sum();
    let dearest = plan.nests.iter().map(nest).fold(0.0, f64::max);
    let conversions: f64 = plan.nests.iter().flat_map(|nest| &nest.conversions).map(copy).sum();
    let collects = plan.outer.is_empty() && plan.nests.iter().any(|nest| nest.collects());
    outer + dearest + conversions + if collects { POINTS } else { 0.0 }
}

fn copy(conversion: &Conversion<'_>) -> f64 {
    if conversion.format.rank > 2 { SORTED_COPY } else { TURNED_MATRIX }
}

fn largest(plan: &Compute<'_>, item: Loop) -> f64 {
    plan.nests.iter().map(|nest| rounds(nest, &nest.value, item)).fold(0.0, f64::max)
}

fn nest(nest: &Nest<'_>) -> f64 {
    let loops: f64 = nest.loops.iter().map(|item| rounds(nest, &nest.value, *item)).sum();
    loops + sums(nest, &nest.value)
}

/// The dearest of the sums that are computed inside the loops.
fn sums(nest: &Nest<'_>, value: &Expr<'_>) -> f64 {
    let inside = value.children().into_iter().map(|child| sums(nest, child)).fold(0.0, f64::max);
    let Expr::Reduce { labels, body, .. } = value else { return inside };
    let loops = nest.constraints.loops(labels);
    inside + loops.iter().map(|item| rounds(nest, body, *item)).sum::<f64>()
}

/// How often a loop runs for a value: what is combined intersects, what is added unites.
fn rounds(nest: &Nest<'_>, value: &Expr<'_>, item: Loop) -> f64 {
    match value {
        Expr::Access(access) => stored(nest, access, item),
        Expr::Scalar(_) => DENSE,
        Expr::Combine(_, left, right) => rounds(nest, left, item).min(rounds(nest, right, item)),
        Expr::Add(left, right) | Expr::Sub(left, right) => {
            rounds(nest, left, item).max(rounds(nest, right, item))
        }
        Expr::Mask { value, mask, complement: false } => {
            rounds(nest, value, item).min(rounds(nest, mask, item))
        }
        Expr::Mask { value, .. }
        | Expr::Cast(value, _)
        | Expr::Neg(value)
        | Expr::Reduce { body: value, .. } => rounds(nest, value, item),
    }
}

fn stored(nest: &Nest<'_>, access: &Access<'_>, item: Loop) -> f64 {
    let copy = nest.conversions.iter().find(|conversion| conversion.access == *access);
    let format = copy.map_or_else(|| access.format(), |copy| copy.format.clone());
    let own = |expr: LevelExpr| match expr {
        LevelExpr::Mode(mode) => access.labels[mode] == item.label(),
        LevelExpr::Div(mode, _) => {
            access.labels[mode] == item.label() && !matches!(item, Loop::Remainder(..))
        }
        LevelExpr::Mod(mode, _) => access.labels[mode] == item.label() && !matches!(item, Loop::Quotient(..)),
        LevelExpr::Slot => false,
    };
    let Some(level) = format.levels.iter().position(|level| own(level.expr)) else { return DENSE };
    match format.levels[level].kind {
        LevelKind::Dense => DENSE,
        _ if level == 0 => ROOT,
        _ => CHILD,
    }
}
