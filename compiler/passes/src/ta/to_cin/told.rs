//! Remarks of `--explain` on the orders of loops, with their reasons.

use super::expr::{Access, Statement};
use super::order::{Loop, levels};
use super::plan::{Compute, Nest};
use crate::nest;
use comet_ir::pass;

/// Tells the order of the loops of each nest that has several.
pub(super) fn orders(statement: &Statement<'_>, plan: &Compute<'_>) {
    for nest in &plan.nests {
        let loops = [plan.outer.as_slice(), &nest.loops].concat();
        if loops.len() > 1 {
            pass::decided(statement.location, || order(statement, nest, &loops));
        }
    }
}

fn order(statement: &Statement<'_>, nest: &Nest<'_>, loops: &[Loop]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for item in loops {
        let name = statement.labels[item.label()].name.as_str();
        if !names.contains(&name) {
            names.push(name);
        }
    }
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
    let mut names: Vec<String> = Vec::new();
    for access in nest.value.accesses() {
        let is_copied = nest.conversions.iter().any(|copy| copy.access == *access);
        let name = format!("`{}`", nest::name(access.tensor));
        if access.is_sparse() && !is_copied && levels(access).len() > 1 && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The dense tensors that the innermost loop goes through without gaps, where nothing sparse decides what it
/// visits.
fn contiguous(statement: &Statement<'_>, nest: &Nest<'_>, loops: &[Loop]) -> Option<String> {
    let label = loops.last()?.label();
    let accesses: Vec<&Access<'_>> = nest.value.accesses();
    if accesses.iter().any(|access| access.is_sparse() && access.labels.contains(&label)) {
        return None;
    }
    let mut names: Vec<String> = Vec::new();
    for access in std::iter::once(&statement.target).chain(accesses) {
        let name = format!("`{}`", nest::name(access.tensor));
        if access.is_contiguous(label) && !names.contains(&name) {
            names.push(name);
        }
    }
    let verb = if names.len() == 1 { "is" } else { "are" };
    let inner = &statement.labels[label].name;
    (!names.is_empty()).then(|| format!("{} {verb} contiguous along `{inner}`", names.join(" and ")))
}
