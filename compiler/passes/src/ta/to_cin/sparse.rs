//! Plans for sparse targets.
//!
//! There are up to three, and the cheapest by `cost.rs` is taken:
//!
//! - *in storage order*: the loops are the target's levels, sums are inside, and every coordinate is
//!   appended;
//! - *by rows*: the loops are the target's levels but for the last, whose coordinates come in any order and
//!   several times (Gustavson 1978); `cin-workspace` puts a dense workspace there;
//! - *apart*: each term has loops of its own, and what it gives is collected as points.

use super::cost;
use super::expr::{Access, Expr, Statement};
use super::order::{self, Constraints, Loop};
use super::plan::{Compute, Nest, admitted, binding_order, conversion, nest, open, terms};
use crate::assembly::groups;
use crate::operator::Reduction;
use comet_ir::{IrError, Result};
use comet_runtime::format::LevelExpr;

/// The plan for a statement whose target is sparse.
pub(super) fn compute<'c>(statement: &Statement<'c>) -> Result<'c, Compute<'c>> {
    if !statement.overwrite {
        let what = "accumulating into a sparse tensor without its old value in the expression";
        return Err(IrError::not_supported(statement.location, what));
    }
    let mut best = apart(statement)?;
    if can_append(&statement.target) {
        // The later ones win where the cost is the same: appending is cheapest, sorting points is dearest.
        for plan in by_rows(statement)?.into_iter().chain([in_order(statement)?]) {
            if cost::of(&plan) <= cost::of(&best) {
                best = plan;
            }
        }
    }
    Ok(best)
}

fn can_append(target: &Access<'_>) -> bool {
    let is_new = |(mode, label): (usize, &usize)| !target.labels[..mode].contains(label);
    groups(&target.format()).is_some() && target.labels.iter().enumerate().all(is_new)
}

fn in_order<'c>(statement: &Statement<'c>) -> Result<'c, Compute<'c>> {
    let value = statement.value.clone();
    let depth = |label: usize| order::depth(&value, label);
    let mut constraints = Constraints::default();
    constraints.admit(&statement.target, &depth);
    let (constraints, discordant) = admitted(statement, &value, constraints, &depth)?;
    let loops = constraints.loops(&statement.target.labels);
    let binding = binding_order(&loops, &value, &constraints);
    let conversions = discordant.into_iter().map(|access| conversion(&binding, access)).collect();
    let nest = Nest { loops, value, reduction: Reduction::Set, constraints, conversions };
    Ok(Compute { outer: Vec::new(), nests: vec![nest] })
}

/// `None` where the last level has only a part of an index.
fn by_rows<'c>(statement: &Statement<'c>) -> Result<'c, Option<Compute<'c>>> {
    let mut outer = order::levels(&statement.target);
    let format = statement.target.format();
    let is_whole = matches!(format.levels.last().map(|level| level.expr), Some(LevelExpr::Mode(_)));
    let ends_group = groups(&format)
        .is_some_and(|groups| groups.last().is_some_and(|group| group.levels.end == format.levels.len()));
    if !is_whole || !ends_group {
        return Ok(None);
    }
    outer.pop();
    let terms = terms(&statement.value);
    let is_only = terms.len() == 1;
    let nests = terms.into_iter().map(|term| row_nest(statement, &outer, term, is_only));
    let nests = nests.collect::<Result<'c, _>>()?;
    Ok(Some(Compute { outer, nests }))
}

/// The loops of a term inside those over the rows.
fn row_nest<'c>(
    statement: &Statement<'c>,
    outer: &[Loop],
    term: Expr<'c>,
    is_only: bool,
) -> Result<'c, Nest<'c>> {
    let (value, reduced, reduction) = open(term, is_only);
    let is_outer = |label: usize| outer.iter().any(|item| item.label() == label);
    let depth = |label: usize| if is_outer(label) { 0 } else { 1 + order::depth(&value, label) };
    let (constraints, discordant) = admitted(statement, &value, Constraints::of(outer), &depth)?;
    let mut loops = constraints.loops(&order::outer_labels(statement, &value, &reduced));
    let binding = binding_order(&loops, &value, &constraints);
    loops.retain(|item| !outer.contains(item));
    let conversions = discordant.into_iter().map(|access| conversion(&binding, access)).collect();
    Ok(Nest { loops, value, reduction: accumulating(reduction), constraints, conversions })
}

fn apart<'c>(statement: &Statement<'c>) -> Result<'c, Compute<'c>> {
    let terms = terms(&statement.value);
    let is_only = terms.len() == 1;
    let mut nests = Vec::new();
    for term in terms {
        let nest = nest(statement, term, is_only)?;
        nests.push(Nest { reduction: accumulating(nest.reduction), ..nest });
    }
    Ok(Compute { outer: Vec::new(), nests })
}

/// What comes to one element adds up where nothing else is said.
fn accumulating(reduction: Reduction) -> Reduction {
    if reduction == Reduction::Set { Reduction::Add } else { reduction }
}
