//! What a schedule makes of the planned loops. Its commands are carried out by `cin-schedule`; here it is
//! only seen in which order they leave the labels, so that operands are copied as the loops want them then.

use super::expr::{Assignment, Expr};
use super::order::{Constraints, Loop};
use super::plan::{Conversion, Discordant, admitted, binding_order, conversion};
use super::planned::{BoundLoops, PlannedLoop, PlannedNest, bound_after};

/// Planned loops around a value.
pub(super) struct Planned<'a, 'c> {
    /// The loops, outermost first.
    pub(super) loops: &'a [Loop],
    pub(super) value: &'a Expr<'c>,
    /// The storage orders that the loops follow.
    pub(super) constraints: &'a Constraints,
    /// The operands that do not agree with these.
    pub(super) discordant: Vec<Discordant<'c>>,
}

/// What planned loops need.
pub(super) struct Needs<'c> {
    pub(super) conversions: Vec<Conversion<'c>>,
    /// Workspaces for sums whose loops the schedule puts outside of others.
    pub(super) takes_sums_out: bool,
}

/// What the loops need when the commands have been carried out.
pub(super) fn needs<'c>(statement: &Assignment<'c>, planned: Planned<'_, 'c>) -> Needs<'c> {
    let Planned { loops, value, constraints, discordant } = planned;
    let Some(bound) = commanded(statement, &[], loops, value, constraints) else {
        let binding = binding_order(loops, value, constraints);
        let conversions = discordant.into_iter().map(|operand| conversion(&binding, operand)).collect();
        return Needs { conversions, takes_sums_out: false };
    };
    let mut conversions: Vec<Conversion<'c>> = Vec::new();
    for (part, order) in bound.values {
        // In which reduction a label is bound no longer matters: the order has them all.
        let (_, discordant) = admitted(part.own_accesses(), Constraints::of(&order), &|_| 0);
        let binding: Vec<usize> = order.into_iter().map(Loop::label).collect();
        for operand in discordant {
            if !conversions.iter().any(|other| other.access == operand.access) {
                conversions.push(conversion(&binding, operand));
            }
        }
    }
    Needs { conversions, takes_sums_out: bound.takes_sums_out }
}

/// What the loops are over after the commands; `None` without commands, and where one cannot be carried out,
/// which `cin-schedule` reports.
fn commanded<'a, 'c>(
    statement: &Assignment<'c>,
    around: &[Loop],
    loops: &[Loop],
    value: &'a Expr<'c>,
    constraints: &Constraints,
) -> Option<BoundLoops<'a, 'c>> {
    if statement.commands.is_empty() {
        return None;
    }
    let mut all = around.to_vec();
    let planner = Planner { statement, constraints };
    let nest = planner.nest(loops, value, &mut all);
    bound_after(&statement.commands, planner.loops(around), nest)
}

/// Makes loops and values what [`bound_after`] takes.
struct Planner<'a, 'c> {
    statement: &'a Assignment<'c>,
    constraints: &'a Constraints,
}

impl Planner<'_, '_> {
    fn loops(&self, loops: &[Loop]) -> Vec<PlannedLoop> {
        let planned = |item: &Loop| PlannedLoop { name: name(self.statement, *item), wholes: vec![*item] };
        loops.iter().map(planned).collect()
    }

    /// A value in loops, with the sums inside of it; `all` are the loops around.
    fn nest<'e, 'c>(&self, loops: &[Loop], value: &'e Expr<'c>, all: &mut Vec<Loop>) -> PlannedNest<'e, 'c> {
        let labels = value.free_labels();
        let uses = all.iter().copied().filter(|item| labels.contains(&item.label())).collect();
        all.extend_from_slice(loops);
        let sums = value
            .outermost_sums()
            .into_iter()
            .map(|(labels, body)| self.nest(&self.constraints.loops(labels), body, &mut all.clone()));
        let sums = sums.collect();
        PlannedNest { loops: self.loops(loops), value: Some(value), uses, sums }
    }
}

/// What commands call a loop. They cannot be about the parts of a label that a format has cut.
fn name(statement: &Assignment<'_>, item: Loop) -> String {
    let label = &statement.labels[item.label()].name;
    match item {
        Loop::Label(_) => label.clone(),
        Loop::Quotient(_, factor) => format!("{label}/{factor}"),
        Loop::Remainder(_, factor) => format!("{label}%{factor}"),
    }
}

/// How well commands can be carried out on loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Obedience {
    /// They are, or there are none.
    Plain,
    /// With workspaces for sums.
    WithWorkspaces,
    /// One cannot be carried out.
    None,
}

/// How well commands can be carried out on loops that are all inside of `around`.
pub(super) fn obedience<'c>(
    statement: &Assignment<'c>,
    around: &[Loop],
    loops: &[Loop],
    value: &Expr<'c>,
    constraints: &Constraints,
) -> Obedience {
    if statement.commands.is_empty() {
        return Obedience::Plain;
    }
    match commanded(statement, around, loops, value, constraints) {
        Some(BoundLoops { takes_sums_out: false, .. }) => Obedience::Plain,
        Some(_) => Obedience::WithWorkspaces,
        None => Obedience::None,
    }
}
