//! Iterations of outer loops that run at once.
//!
//! What a loop over stored coordinates takes in order comes through a FIFO, and so does what it yields in
//! order. Iterations at once would take each other's elements: where several are to run, each has its element
//! in an SRAM, at the number of the iteration. What a vector takes from a FIFO comes in as many at once as it
//! has lanes.

use super::Emitter;
use super::expr::{int, name, plus, read};
use super::scope::OpenBlock;
use crate::app::visit::each;
use crate::app::{AppExpr, AppStatement, Block, Domain, ExprKind, Kind, MemoryKind};
use std::collections::{BTreeMap, BTreeSet};

impl Emitter<'_> {
    /// Turns the FIFOs of a loop that has just been closed into SRAMs: those declared in front of it that
    /// each iteration takes one element from, or puts one in. Where iterations use other ones from outside,
    /// nothing changes.
    pub(super) fn number_iterations(&mut self, domain: &Domain, frame: &mut OpenBlock) {
        let Domain::Counters(counters) = domain else { return };
        let [counter] = &counters[..] else { return };
        let outer = self.frames.statements();
        let fifos = fifos_used(&frame.statements);
        let is_one_an_iteration = |fifo: &String| {
            declares_fifo(outer, fifo)
                && times_used(&frame.statements, fifo) == 1
                && frame.statements.iter().any(|statement| moves_one(statement, fifo))
        };
        if !fifos.iter().all(is_one_an_iteration) {
            return;
        }
        let lanes = self.setting("ip");
        let given = number_outside(self.frames.statements_mut(), &fifos, &lanes);
        number_inside(&mut frame.statements, &fifos, &given, &counter.binder);
        frame.is_ordered = false;
    }

    /// Loads the FIFOs that the iterations of a vector take from as wide as that is.
    pub(super) fn feed(&mut self, frame: &OpenBlock, lanes: &AppExpr) {
        let taken: BTreeSet<&str> = frame.statements.iter().filter_map(taken_from).collect();
        for statement in self.frames.statements_mut() {
            if let Kind::Load { memory, part } = &mut statement.kind
                && taken.contains(memory.as_str())
            {
                part.par = Some(lanes.clone());
            }
        }
    }
}

/// The FIFOs that iterations use and do not declare.
fn fifos_used(body: &Block) -> BTreeSet<String> {
    let (mut used, mut declared) = (BTreeSet::new(), BTreeSet::new());
    each(body, &mut |statement| {
        if let Kind::Memory(memory) = &statement.kind {
            declared.insert(memory.name.clone());
        }
        used.extend(statement.fifos().into_iter().map(str::to_owned));
    });
    &used - &declared
}

fn times_used(body: &Block, fifo: &str) -> usize {
    let mut times = 0;
    each(body, &mut |statement| times += statement.fifos().into_iter().filter(|used| *used == fifo).count());
    times
}

pub(super) fn declares_fifo(block: &Block, fifo: &str) -> bool {
    block.iter().any(|statement| match &statement.kind {
        Kind::Memory(memory) => memory.name == fifo && matches!(memory.kind, MemoryKind::Fifo { .. }),
        _ => false,
    })
}

/// Whether a statement takes an element from a FIFO or puts one into it, in each iteration.
fn moves_one(statement: &AppStatement, fifo: &str) -> bool {
    match &statement.kind {
        Kind::Enqueue { fifo: given, enable: None, .. } => given == fifo,
        _ => taken_from(statement) == Some(fifo),
    }
}

/// The FIFO of `val x = f.deq`.
fn taken_from(statement: &AppStatement) -> Option<&str> {
    match &statement.kind {
        Kind::Val(_, AppExpr { kind: ExprKind::Dequeue(fifo), .. }) => Some(fifo),
        _ => None,
    }
}

/// In front of the loop: FIFOs become SRAMs, and what is put into them takes the first places. Returns how
/// many there are of these.
fn number_outside(outer: &mut Block, fifos: &BTreeSet<String>, lanes: &AppExpr) -> BTreeMap<String, i64> {
    let mut given = BTreeMap::new();
    for statement in outer {
        match &mut statement.kind {
            Kind::Memory(memory) if fifos.contains(&memory.name) => {
                memory.kind = MemoryKind::Sram { size: name("nnz_accel_max") };
            }
            Kind::Load { memory, part } if fifos.contains(memory) => part.par = Some(lanes.clone()),
            Kind::Enqueue { fifo, value, .. } if fifos.contains(fifo) => {
                let number = given.entry(fifo.clone()).or_insert(0);
                let (memory, index, value) = (fifo.clone(), int(*number), value.clone());
                *number += 1;
                statement.kind = Kind::Write { memory, index, value };
            }
            _ => {}
        }
    }
    given
}

/// In the loop: the element of the iteration.
fn number_inside(body: &mut Block, fifos: &BTreeSet<String>, given: &BTreeMap<String, i64>, binder: &str) {
    let place = |fifo: &str| plus(name(binder), int(given.get(fifo).copied().unwrap_or(0)));
    for statement in body {
        match &mut statement.kind {
            Kind::Val(_, value) => {
                if let ExprKind::Dequeue(fifo) = &value.kind
                    && fifos.contains(fifo)
                {
                    *value = read(fifo, place(fifo));
                }
            }
            Kind::Enqueue { fifo, value, .. } if fifos.contains(fifo) => {
                let (memory, index, value) = (fifo.clone(), place(fifo), value.clone());
                statement.kind = Kind::Write { memory, index, value };
            }
            _ => {}
        }
    }
}
