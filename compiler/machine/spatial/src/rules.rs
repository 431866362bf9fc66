//! The rules of Spatial's own compiler that a text has to follow, as far as the text alone shows.
//!
//! Each has a name, which messages give in brackets; the README lists them. What they are about is how the
//! hardware is laid out: which copy of a memory an iteration sees, how many lanes reach it, when a register
//! is read. The interpreter executes iterations in their order, and would compute a result where the hardware
//! computes another.

mod hazard;
mod lanes;
mod order;
mod scope;
mod shared;
mod transient;

use crate::app::{App, Block, Copies, Expr, HostKind, Kind, Mark, MemoryKind, SparseVariant};
use comet_diag::Diagnostic;
use std::collections::BTreeMap;

/// All rules that an application breaks, in the order of the text. Parameters may have other values than in
/// the text.
pub fn check(app: &App, parameters: &BTreeMap<String, i64>) -> Vec<Diagnostic> {
    let constants = constants(app, parameters);
    let mut broken = transient::check(&app.accel);
    broken.extend(hazard::find(&app.accel).into_iter().map(|hazard| hazard.diagnostic()));
    broken.extend(lanes::check(app, &constants));
    broken.extend(order::check(&app.accel));
    broken.sort_by_key(|error| error.span().map(|span| span.start));
    broken
}

/// Makes memories such that an application follows the rules: each iteration of a pipeline gets a copy of
/// what it fills in several stages, what is stored at a place that data decides is in a sparse SRAM, and one
/// that copies of a body read has a port for each.
pub(crate) fn legalize(app: &mut App) {
    let constants = constants(app, &BTreeMap::new());
    let unbanked = lanes::unbanked(app, &constants);
    for_each_memory(&mut app.accel, &mut 0, &mut |number, memory| {
        if let (true, MemoryKind::Sram { size }) = (unbanked.contains(&number), &memory.kind) {
            memory.kind = MemoryKind::SparseSram { variant: SparseVariant::Plain, size: size.clone() };
        }
    });
    let shared = shared::find(&app.accel, &constants);
    for_each_memory(&mut app.accel, &mut 0, &mut |number, memory| {
        if let (Some(par), MemoryKind::SparseSram { variant, .. }) = (shared.get(&number), &mut memory.kind) {
            *variant = SparseVariant::ParSwizzle(Copies { par: par.clone(), has_barriers: true });
        }
    });
    let hazards = hazard::find(&app.accel);
    for_each_memory(&mut app.accel, &mut 0, &mut |number, memory| {
        if let Some(hazard) = hazards.iter().find(|hazard| hazard.memory == number) {
            memory.marks.push(if hazard.is_inside { Mark::Buffer } else { Mark::NonBuffer });
        }
    });
}

/// Calls a function with each memory of a block and of those inside, and its number among them.
fn for_each_memory(
    block: &mut Block,
    number: &mut usize,
    visit: &mut impl FnMut(usize, &mut crate::app::Memory),
) {
    for statement in block {
        if let Kind::Memory(memory) = &mut statement.kind {
            visit(*number, memory);
            *number += 1;
        }
        statement.bodies_mut().into_iter().for_each(|body| for_each_memory(body, number, visit));
    }
}

/// The parameters and the constants of the host, with their values.
fn constants(app: &App, given: &BTreeMap<String, i64>) -> BTreeMap<String, i64> {
    let own = app.parameters.iter().map(|parameter| (parameter.name.clone(), parameter.value));
    let given = given.iter().map(|(name, value)| (name.clone(), *value));
    let mut constants: BTreeMap<String, i64> = own.chain(given).collect();
    for statement in &app.before {
        if let HostKind::Val(name, value) = &statement.kind
            && let Some(value) = constant(value, &constants)
        {
            constants.insert(name.clone(), value);
        }
    }
    constants
}

fn constant(value: &Expr, constants: &BTreeMap<String, i64>) -> Option<i64> {
    value.constant(&|name| constants.get(name).copied())
}

/// How many iterations of a pattern run at once, as far as that is known.
fn iterations_at_once(domain: &crate::app::Domain, constants: &BTreeMap<String, i64>) -> i64 {
    let factors = domain.factors().into_iter();
    factors.filter_map(|factor| constant(factor, constants)).fold(1, i64::saturating_mul)
}
