//! Remarks of `--explain` on the orders of loops, with their reasons.

use super::expr::{Assignment, Operand};
use super::order::{Loop, levels};
use super::plan::{Compute, Nest};
use crate::nest;
use comet_ir::pass;
use comet_notation::distinct;

/// Reports the order of the loops of each nest that has several.
pub(super) fn orders(statement: &Assignment<'_>, plan: &Compute<'_>) {
    for nest in &plan.nests {
        let loops = [plan.outer.as_slice(), &nest.loops].concat();
        if loops.len() > 1 {
            pass::decided(statement.location, || order(statement, nest, &loops));
        }
    }
}

fn order(statement: &Assignment<'_>, nest: &Nest<'_>, loops: &[Loop]) -> String {
    let names = distinct(loops.iter().map(|item| statement.labels[item.label()].name.as_str()));
    let leading = leading(nest);
    let mut reasons: Vec<String> = Vec::new();
    if !leading.is_empty() {
        reasons.push(format!("the levels of {} come so", leading.join(" and ")));
    }
    reasons.extend(contiguous(statement, nest, loops));
    let why = if reasons.is_empty() { "as they are written".to_owned() } else { reasons.join(", and ") };
    format!("loops over `{}`: {why}", names.join("`, `"))
}

/// The sparse operands whose levels the loops follow as they are stored.
fn leading(nest: &Nest<'_>) -> Vec<String> {
    let is_copied = |access: &Operand<'_>| nest.conversions.iter().any(|copy| copy.access == *access);
    let leads = |access: &&Operand<'_>| access.is_sparse() && !is_copied(access) && levels(access).len() > 1;
    let leading = nest.value.accesses().into_iter().filter(leads);
    distinct(leading.map(|access| format!("`{}`", nest::name(access.tensor))))
}

/// The dense tensors that the innermost loop goes through without gaps, where nothing sparse decides what it
/// visits.
fn contiguous(statement: &Assignment<'_>, nest: &Nest<'_>, loops: &[Loop]) -> Option<String> {
    let label = loops.last()?.label();
    let accesses: Vec<&Operand<'_>> = nest.value.accesses();
    if accesses.iter().any(|access| access.is_sparse() && access.labels.contains(&label)) {
        return None;
    }
    let all = std::iter::once(&statement.target).chain(accesses);
    let contiguous = all.filter(|access| access.is_contiguous(label));
    let names = distinct(contiguous.map(|access| format!("`{}`", nest::name(access.tensor))));
    let verb = if names.len() == 1 { "is" } else { "are" };
    let inner = &statement.labels[label].name;
    (!names.is_empty()).then(|| format!("{} {verb} contiguous along `{inner}`", names.join(" and ")))
}
