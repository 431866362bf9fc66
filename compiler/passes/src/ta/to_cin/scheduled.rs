//! What a schedule makes of the planned loops. Its commands are carried out by `cin-schedule`; here it is
//! only seen in which order they leave the labels, so that operands are copied as the loops want them then.

use super::expr::{Access, Expr, Statement};
use super::order::{Constraints, Loop};
use super::plan::{Conversion, admitted, binding_order, conversion};
use crate::schedule::{self, PlannedLoop};
use comet_ir::Result;

/// Planned loops around a value.
pub(super) struct Planned<'a, 'c> {
    /// The loops, outermost first.
    pub(super) loops: &'a [Loop],
    pub(super) value: &'a Expr<'c>,
    /// The storage orders that the loops follow.
    pub(super) constraints: &'a Constraints,
    /// The operands that do not agree with these.
    pub(super) discordant: Vec<Access<'c>>,
}

/// The copies of operands that the loops need.
pub(super) fn conversions<'c>(
    statement: &Statement<'c>,
    planned: Planned<'_, 'c>,
    depth: &dyn Fn(usize) -> usize,
) -> Result<'c, Vec<Conversion<'c>>> {
    let Planned { loops, value, constraints, discordant } = planned;
    let Some(order) = commanded_order(statement, vec![loops.to_vec()], value, constraints) else {
        let binding = binding_order(loops, value, constraints);
        return Ok(discordant.into_iter().map(|access| conversion(&binding, access)).collect());
    };
    let (_, discordant) = admitted(value, Constraints::of(&order), depth);
    let binding: Vec<usize> = order.into_iter().map(Loop::label).collect();
    Ok(discordant.into_iter().map(|access| conversion(&binding, access)).collect())
}

/// The order in which the loops are complete after the commands; `None` without commands, and where one
/// cannot be carried out, which `cin-schedule` tells.
fn commanded_order<'c>(
    statement: &Statement<'c>,
    chains: Vec<Vec<Loop>>,
    value: &Expr<'c>,
    constraints: &Constraints,
) -> Option<Vec<Loop>> {
    if statement.commands.is_empty() {
        return None;
    }
    let nested = value.reductions().into_iter().map(|labels| constraints.loops(labels));
    let chains = chains.into_iter().chain(nested);
    let planned = |item: Loop| PlannedLoop { name: name(statement, item), wholes: vec![item] };
    let chains = chains.map(|chain| chain.into_iter().map(planned).collect()).collect();
    schedule::binding_order(&statement.commands, chains)
}

/// What commands call a loop. They cannot be about the parts of a label that a format has cut.
fn name(statement: &Statement<'_>, item: Loop) -> String {
    let label = &statement.labels[item.label()].name;
    match item {
        Loop::Label(_) => label.clone(),
        Loop::Quotient(_, factor) => format!("{label}/{factor}"),
        Loop::Remainder(_, factor) => format!("{label}%{factor}"),
    }
}

/// Whether commands can be carried out on loops, where only those of one chain can change places; true where
/// there are none.
pub(super) fn applies<'c>(
    statement: &Statement<'c>,
    chains: Vec<Vec<Loop>>,
    value: &Expr<'c>,
    constraints: &Constraints,
) -> bool {
    statement.commands.is_empty() || commanded_order(statement, chains, value, constraints).is_some()
}
