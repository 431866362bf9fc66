//! The plan by rows: the loops are the target's levels but for the last, whose coordinates come in any order
//! and several times (Gustavson 1978).
//!
//! Inside of the rows' loops each term has its own, in the order that its operands are stored in, or in any
//! other if that is cheaper with some operands copied first, over whole labels where operands have blocks: a
//! product of two matrices row by row takes as many steps as there are products, whichever way its operands
//! and its result are stored.

use super::cost;
use super::expr::{Assignment, Expr};
use super::order::{self, Constraints, Loop};
use super::plan::{Compute, Nest, TermRole, admitted, open, terms};
use super::scheduled::{self, Needs, Planned};
use super::sparse::accumulating;
use comet_format::LevelExpr;
use comet_ir::Result;
use comet_notation::distinct;

/// All orders of so many loops are looked at.
const LOOPS_IN_ANY_ORDER: usize = 4;

/// `None` where the last level has only a part of an index.
pub(super) fn plan<'c>(statement: &Assignment<'c>) -> Result<'c, Option<Compute<'c>>> {
    let mut outer = order::levels(&statement.target);
    let format = statement.target.format();
    let is_whole = matches!(format.levels.last().map(|level| level.expr), Some(LevelExpr::Mode(_)));
    let ends_group = format
        .appended_groups()
        .is_some_and(|groups| groups.last().is_some_and(|group| group.levels.end == format.levels.len()));
    let whole = statement.uncut_labels();
    let is_cut = |item: &Loop| !matches!(item, Loop::Label(_)) && whole.contains(&item.label());
    if !is_whole || !ends_group || outer.iter().any(is_cut) {
        return Ok(None);
    }
    outer.pop();
    Ok(Some(inside(statement, outer)?))
}

/// Each term in loops of its own inside of these, which may be none.
pub(super) fn inside<'c>(statement: &Assignment<'c>, outer: Vec<Loop>) -> Result<'c, Compute<'c>> {
    let terms = terms(&statement.value);
    let role = TermRole::of(&terms);
    let nests = terms.into_iter().map(|term| cheapest(&Row { statement, outer: &outer, term, role }));
    let nests = nests.collect::<Result<'c, _>>()?;
    Ok(Compute { outer, nests })
}

/// A term inside the loops over the rows.
struct Row<'a, 'c> {
    statement: &'a Assignment<'c>,
    outer: &'a [Loop],
    term: Expr<'c>,
    role: TermRole,
}

/// The loops as the operands are stored, or over whole labels in any order if that is cheaper.
fn cheapest<'c>(row: &Row<'_, 'c>) -> Result<'c, Nest<'c>> {
    let mut best = nest(row, &[])?;
    let is_cut = |item: &Loop| !matches!(item, Loop::Label(_));
    let labels = distinct(best.loops.iter().map(|item| Loop::Label(item.label())));
    if !row.statement.commands.is_empty() || labels.len() > LOOPS_IN_ANY_ORDER || row.outer.iter().any(is_cut)
    {
        return Ok(best);
    }
    let mut least = cost(row, &best);
    let (value, reduced, reduction) = open(row.term.clone(), row.role);
    let ordered = order::ordered_reductions(&value, &reduced, reduction);
    let place = |order: &[Loop], label: &usize| order.iter().position(|item| item.label() == *label);
    let keeps = |order: &Vec<Loop>| {
        ordered.iter().all(|labels| labels.iter().filter_map(|label| place(order, label)).is_sorted())
    };
    for order in orders(&labels).into_iter().filter(keeps) {
        let other = nest(row, &order)?;
        let its = cost(row, &other);
        if its < least {
            (best, least) = (other, its);
        }
    }
    Ok(best)
}

fn cost<'c>(row: &Row<'_, 'c>, nest: &Nest<'c>) -> f64 {
    cost::of(&Compute { outer: row.outer.to_vec(), nests: vec![nest.clone()] })
}

fn orders(loops: &[Loop]) -> Vec<Vec<Loop>> {
    if loops.is_empty() {
        return vec![Vec::new()];
    }
    let beginning_with = |first: usize| {
        let rest = [&loops[..first], &loops[first + 1..]].concat();
        orders(&rest).into_iter().map(move |order| [vec![loops[first]], order].concat())
    };
    (0..loops.len()).flat_map(beginning_with).collect()
}

/// The loops of a term inside those over the rows, the first ones in the given order.
fn nest<'c>(row: &Row<'_, 'c>, first: &[Loop]) -> Result<'c, Nest<'c>> {
    let Row { statement, outer, .. } = *row;
    let (value, reduced, reduction) = open(row.term.clone(), row.role);
    let is_outer = |label: usize| outer.iter().any(|item| item.label() == label);
    let depth = |label: usize| if is_outer(label) { 0 } else { 1 + order::depth(&value, label) };
    let ordered = order::ordered_reductions(&value, &reduced, reduction);
    let first = Constraints::of(&[outer, first].concat()).with_whole(statement.uncut_labels());
    let first = first.with_ordered_reductions(ordered);
    let (constraints, discordant) = admitted(value.accesses(), first, &depth);
    let mut loops = constraints.loops(&order::outer_labels(statement, &value, &reduced));
    let planned = Planned { loops: &loops, value: &value, constraints: &constraints, discordant };
    let Needs { conversions, takes_sums_out } = scheduled::needs(statement, planned);
    loops.retain(|item| !outer.contains(item));
    Ok(Nest { loops, value, reduction: accumulating(reduction), constraints, conversions, takes_sums_out })
}
