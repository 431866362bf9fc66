//! Plans for sparse targets.
//!
//! There are up to three, and the cheapest by `cost.rs` is taken:
//!
//! - *in storage order*: the loops are the target's levels, sums are inside, and every coordinate is
//!   appended;
//! - *by rows*: the loops are the target's levels but for the last, whose coordinates come in any order and
//!   several times (Gustavson 1978); `cin-workspace` puts a workspace there, dense where there is room; a
//!   vector is one row;
//! - *apart*: each term has loops of its own, and its values are collected as points. Terms without a row's
//!   loops around are ordered as those inside of them (`rows.rs`).

use super::cost;
use super::expr::{Assignment, Operand};
use super::order::{self, Constraints};
use super::plan::{self, Compute, Nest, admitted};
use super::rows;
use super::scheduled::{self, Needs, Obedience, Planned};
use crate::exponent::POINTS;
use crate::nest;
use comet_ir::cin::Reduction;
use comet_ir::{IrError, Result, pass};

/// The plan for a statement whose target is sparse.
pub(super) fn compute<'c>(statement: &Assignment<'c>) -> Result<'c, Compute<'c>> {
    let mut plans = plans(statement)?;
    let best = best(statement, &plans);
    // Commands may change what becomes of the plan: `cin-workspace` reports what was made of it.
    if statement.commands.is_empty() {
        pass::decided(statement.location, || remark(statement, &plans, best));
    }
    Ok(plans.swap_remove(best).compute)
}

/// The cost of the cheapest plan.
pub(super) fn least<'c>(statement: &Assignment<'c>) -> Result<'c, f64> {
    let plans = plans(statement)?;
    Ok(plans[best(statement, &plans)].cost())
}

/// How the coordinates of a target are assembled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Assembled {
    Points,
    Rows,
    InOrder,
}

impl Assembled {
    fn words(self) -> &'static str {
        match self {
            Self::Points => "as points that are sorted",
            Self::Rows => "by rows, through workspaces",
            Self::InOrder => "in the order of its levels",
        }
    }
}

/// A way to assemble a target, with its loops.
struct AssembledPlan<'c> {
    assembly: Assembled,
    compute: Compute<'c>,
}

impl AssembledPlan<'_> {
    /// What comes in any order without the loops of rows around is sorted. A vector is one row.
    fn cost(&self) -> f64 {
        let Compute { outer, nests } = &self.compute;
        let collects = outer.is_empty() && nests.iter().any(Nest::collects);
        cost::of(&self.compute) + if collects && self.assembly != Assembled::Rows { POINTS } else { 0.0 }
    }
}

/// One nest for all terms, in the order of the operands.
pub(super) fn whole<'c>(statement: &Assignment<'c>) -> Result<'c, Compute<'c>> {
    check_overwrites(statement)?;
    let nest = plan::nest(statement, statement.value.clone(), plan::TermRole::Only)?;
    let nest = Nest { reduction: accumulating(nest.reduction), ..nest };
    Ok(Compute { outer: Vec::new(), nests: vec![nest] })
}

fn check_overwrites<'c>(statement: &Assignment<'c>) -> Result<'c, ()> {
    if statement.overwrite {
        return Ok(());
    }
    let what = "accumulating into a sparse tensor without its old value in the expression";
    Err(IrError::not_supported(statement.location, what))
}

fn plans<'c>(statement: &Assignment<'c>) -> Result<'c, Vec<AssembledPlan<'c>>> {
    check_overwrites(statement)?;
    let plan = |assembly, compute| AssembledPlan { assembly, compute };
    let mut plans = vec![plan(Assembled::Points, rows::inside(statement, Vec::new())?)];
    if can_append(&statement.target) {
        plans.extend(rows::plan(statement)?.map(|compute| plan(Assembled::Rows, compute)));
        plans.push(plan(Assembled::InOrder, in_order(statement)?));
    }
    Ok(plans)
}

/// The place of the cheapest plan that the schedule can be carried out on, without workspaces for sums if
/// there is one.
fn best<'c>(statement: &Assignment<'c>, plans: &[AssembledPlan<'c>]) -> usize {
    let cost = |place: usize| plans[place].cost();
    // The later ones win where the cost is the same: appending is cheapest, sorting points is dearest.
    let obedient = (0..plans.len()).rev().map(|place| (obedience(statement, &plans[place].compute), place));
    let obedient = obedient.filter(|(obedience, _)| *obedience != Obedience::None);
    let best = obedient.min_by(|(first, left), (second, right)| {
        first.cmp(second).then_with(|| cost(*left).total_cmp(&cost(*right)))
    });
    best.map_or(0, |(_, place)| place)
}

fn remark<'c>(statement: &Assignment<'c>, plans: &[AssembledPlan<'c>], best: usize) -> String {
    let name = nest::name(statement.target.tensor);
    let of = |plan: &AssembledPlan<'c>| format!("{} (about n^{:.1})", plan.assembly.words(), plan.cost());
    let others: Vec<String> =
        plans.iter().enumerate().filter(|(place, _)| *place != best).map(|(_, plan)| of(plan)).collect();
    let others = if others.is_empty() { String::new() } else { format!(", not {}", others.join(" or ")) };
    format!("`{name}` is assembled {}{others}: n stands for an extent", of(&plans[best]))
}

/// How well the schedule's commands can be carried out on the loops of a plan: several nests in the same
/// outer loops keep their order.
fn obedience<'c>(statement: &Assignment<'c>, plan: &Compute<'c>) -> Obedience {
    let is_beside_others = plan.nests.len() > 1;
    let of = |nest: &Nest<'c>| {
        let all = [plan.outer.as_slice(), &nest.loops].concat();
        let (around, loops) = if is_beside_others { (&plan.outer, &nest.loops) } else { (&Vec::new(), &all) };
        scheduled::obedience(statement, around, loops, &nest.value, &nest.constraints)
    };
    plan.nests.iter().map(of).max().unwrap_or(Obedience::Plain)
}

fn can_append(target: &Operand<'_>) -> bool {
    let is_new = |(mode, label): (usize, &usize)| !target.labels[..mode].contains(label);
    target.format().appended_groups().is_some() && target.labels.iter().enumerate().all(is_new)
}

fn in_order<'c>(statement: &Assignment<'c>) -> Result<'c, Compute<'c>> {
    let value = statement.value.clone();
    let depth = |label: usize| order::depth(&value, label);
    let ordered = order::ordered_reductions(&value, &[], Reduction::Set);
    let mut constraints = Constraints::default().with_whole(statement.uncut_labels());
    constraints = constraints.with_ordered_reductions(ordered);
    // Where the target disagrees, its elements come in any order.
    let _ = constraints.admit(&statement.target, &depth);
    let (constraints, discordant) = admitted(value.accesses(), constraints, &depth);
    let loops = constraints.loops(&statement.target.labels);
    let planned = Planned { loops: &loops, value: &value, constraints: &constraints, discordant };
    let Needs { conversions, takes_sums_out } = scheduled::needs(statement, planned);
    let nest = Nest { loops, value, reduction: Reduction::Set, constraints, conversions, takes_sums_out };
    Ok(Compute { outer: Vec::new(), nests: vec![nest] })
}

/// What comes to one element adds up where nothing else is said.
pub(super) fn accumulating(reduction: Reduction) -> Reduction {
    if reduction == Reduction::Set { Reduction::Add } else { reduction }
}
