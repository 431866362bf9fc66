//! What is known at a place of the loops, and the statements that have been written there.

use super::expr::{all, any, name};
use super::nest::{NestAccess, Var};
use super::presence::{Atom, Formula};
use crate::app::{AppExpr, AppStatement, Block, DramPart, Kind, Memory, MemoryKind, Type};
use crate::names::is_free;
use comet_diag::Span;
use comet_notation::free_name;
use std::collections::{BTreeMap, BTreeSet};

/// Where an access stands in the last of its levels that is bound.
#[derive(Clone, Debug)]
pub(super) struct Cursor {
    /// Counted from the beginning of what is on chip of the level below.
    pub(super) local: AppExpr,
    pub(super) absolute: AppExpr,
}

#[derive(Clone, Debug)]
pub(super) struct PositionArray {
    pub(super) memory: String,
    /// Whether it has all of them, and not those below one place of the level above.
    pub(super) is_whole: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) start: AppExpr,
    pub(super) end: AppExpr,
    pub(super) len: AppExpr,
}

/// Values of an operand that are on chip: those of its levels from one on.
#[derive(Clone, Debug)]
pub(super) struct Slice {
    pub(super) memory: String,
    /// Whether it stays in DRAM, and single elements are read.
    pub(super) is_off_chip: bool,
    pub(super) first: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub(super) coordinates: BTreeMap<Var, AppExpr>,
    pub(super) cursors: BTreeMap<NestAccess, Cursor>,
    /// The memories of position arrays, by the level that they are of.
    pub(super) positions: BTreeMap<(NestAccess, usize), PositionArray>,
    pub(super) segments: BTreeMap<(NestAccess, usize), Segment>,
    pub(super) slices: BTreeMap<NestAccess, Slice>,
    /// Values of operands whose last level is compressed.
    pub(super) values: BTreeMap<NestAccess, AppExpr>,
    /// Whether operands are stored here, where that is not known.
    pub(super) flags: BTreeMap<Atom, AppExpr>,
    pub(super) context: Formula,
}

impl Scope {
    pub(super) fn new() -> Self {
        Self {
            coordinates: BTreeMap::new(),
            cursors: BTreeMap::new(),
            positions: BTreeMap::new(),
            segments: BTreeMap::new(),
            slices: BTreeMap::new(),
            values: BTreeMap::new(),
            flags: BTreeMap::new(),
            context: Formula::True,
        }
    }

    /// What is left of a formula here, as an expression; `None` if it holds.
    pub(super) fn condition(&self, formula: &Formula) -> Option<AppExpr> {
        self.written(&formula.clone().given(&self.context))
    }

    fn written(&self, formula: &Formula) -> Option<AppExpr> {
        match formula {
            Formula::True => None,
            Formula::Atom(atom) => self.flags.get(atom).cloned(),
            Formula::And(..) => {
                let mut parts = Vec::new();
                formula.conjuncts(&mut parts);
                // A level that is stored is so below levels that are.
                let is_outer = |(place, part): (usize, &Formula)| match part {
                    Formula::Atom(Atom::Level(access, _)) => parts[place + 1..].iter().any(
                        |other| matches!(other, Formula::Atom(Atom::Level(inner, _)) if inner == access),
                    ),
                    _ => false,
                };
                let kept = parts.iter().enumerate().filter(|(place, part)| !is_outer((*place, part)));
                all(kept.filter_map(|(_, part)| self.written(part)))
            }
            Formula::Or(one, other) => any([self.written(one)?, self.written(other)?]),
        }
    }
}

#[derive(Default)]
pub(super) struct OpenBlock {
    pub(super) statements: Block,
    names: BTreeSet<String>,
    var: Option<Var>,
    /// Whether its iterations depend on those before.
    pub(super) is_carried: bool,
    /// Whether they do as each appends to a result behind what those before have appended.
    pub(super) is_appending: bool,
    /// Whether its iterations add to FIFOs outside, or take from them, in order.
    pub(super) is_ordered: bool,
}

/// The blocks around the place that is written at, the outermost first.
pub(super) struct OpenBlocks {
    frames: Vec<OpenBlock>,
}

impl OpenBlocks {
    pub(super) fn new(names: BTreeSet<String>) -> Self {
        Self { frames: vec![OpenBlock { names, ..OpenBlock::default() }] }
    }

    pub(super) fn open(&mut self) {
        self.frames.push(OpenBlock::default());
    }

    pub(super) fn open_loop(&mut self, var: Var) {
        self.frames.push(OpenBlock { var: Some(var), ..OpenBlock::default() });
    }

    pub(super) fn close(&mut self) -> OpenBlock {
        self.frames.pop().expect("a block that was opened is closed")
    }

    pub(super) fn statements(&self) -> &Block {
        &self.frames.last().expect("the outermost block stays").statements
    }

    pub(super) fn statements_mut(&mut self) -> &mut Block {
        &mut self.top().statements
    }

    fn top(&mut self) -> &mut OpenBlock {
        self.frames.last_mut().expect("the outermost block stays")
    }

    /// The blocks inside of that which declares a memory.
    fn inside_of(&mut self, memory: &str) -> &mut [OpenBlock] {
        let place = self.frames.iter().rposition(|frame| frame.names.contains(memory));
        &mut self.frames[place.expect("a memory is declared") + 1..]
    }

    /// Sets a register or an element of a memory by what it was: iterations between here and its declaration
    /// depend on each other.
    pub(super) fn carry(&mut self, memory: &str) {
        self.inside_of(memory).iter_mut().for_each(|frame| frame.is_carried = true);
    }

    /// Counts what is appended to a result in a register.
    pub(super) fn append(&mut self, count: &str) {
        self.carry(count);
        self.inside_of(count).iter_mut().for_each(|frame| frame.is_appending = true);
    }

    /// Reserves a segment of a result in each iteration of the block that is written. Iterations of it may
    /// run at once, as reserving keeps their order; those of the loops around would reserve theirs in
    /// between.
    pub(super) fn reserve(&mut self) {
        let (_, around) = self.frames.split_last_mut().expect("the outermost block stays");
        for frame in around.iter_mut().filter(|frame| frame.var.is_some()) {
            (frame.is_carried, frame.is_appending) = (true, true);
        }
    }

    /// Combines an element of a memory with what it was: iterations of loops over other variables than the
    /// element's come to the same one.
    pub(super) fn carry_others(&mut self, memory: &str, indices: &[Var]) {
        let is_other = |frame: &&mut OpenBlock| frame.var.is_none_or(|var| !indices.contains(&var));
        self.inside_of(memory).iter_mut().filter(is_other).for_each(|frame| frame.is_carried = true);
    }

    /// Adds to a FIFO, where a condition holds.
    pub(super) fn enqueue(&mut self, fifo: &str, value: AppExpr, enable: Option<AppExpr>) {
        self.push(Kind::Enqueue { fifo: fifo.to_owned(), value, enable });
        self.inside_of(fifo).iter_mut().for_each(|frame| frame.is_ordered = true);
    }

    /// Iterations of the block that is written take from FIFOs outside, in order.
    pub(super) fn take_in_order(&mut self) {
        self.top().is_ordered = true;
    }

    /// A name that no block around has and that means nothing else.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let is_taken = |name: &str| self.frames.iter().any(|frame| frame.names.contains(name));
        let name = free_name(wanted, |name| !is_free(name) || is_taken(name));
        self.top().names.insert(name.clone());
        name
    }

    /// Declares a memory in front of all loops, under a name that no block around has; returns that.
    pub(super) fn memory_outside(&mut self, wanted: &str, element: Type, kind: MemoryKind) -> String {
        let name = self.fresh(wanted);
        self.frames[0].names.insert(name.clone());
        self.push_outside(Kind::Memory(Memory { name: name.clone(), kind, element, marks: Vec::new() }));
        name
    }

    /// Declares a memory that a block around declares otherwise.
    pub(super) fn resize(&mut self, memory: &str, kind: MemoryKind) {
        let statements = self.frames.iter_mut().rev().flat_map(|frame| &mut frame.statements);
        let mut memories = statements.filter_map(|statement| match &mut statement.kind {
            Kind::Memory(declared) if declared.name == memory => Some(declared),
            _ => None,
        });
        memories.next().expect("a memory is declared").kind = kind;
    }

    pub(super) fn push_outside(&mut self, kind: Kind) {
        self.frames[0].statements.push(AppStatement { kind, span: Span::default() });
    }

    pub(super) fn push(&mut self, kind: Kind) {
        self.top().statements.push(AppStatement { kind, span: Span::default() });
    }

    pub(super) fn load(&mut self, memory: &str, part: DramPart) {
        self.push(Kind::Load { memory: memory.to_owned(), part });
    }

    /// `val wanted = value`, under a name that no block around has.
    pub(super) fn val(&mut self, wanted: &str, value: AppExpr) -> String {
        let name = self.fresh(wanted);
        self.push(Kind::Val(name.clone(), value));
        name
    }

    pub(super) fn memory(&mut self, wanted: &str, element: Type, kind: MemoryKind) -> String {
        let name = self.fresh(wanted);
        self.push(Kind::Memory(Memory { name: name.clone(), kind, element, marks: Vec::new() }));
        name
    }

    pub(super) fn fifo(&mut self, wanted: &str, element: Type) -> String {
        self.fifo_of(wanted, element, super::expr::int(16))
    }

    pub(super) fn fifo_of(&mut self, wanted: &str, element: Type, depth: AppExpr) -> String {
        self.memory(wanted, element, MemoryKind::Fifo { depth })
    }

    pub(super) fn sram(&mut self, wanted: &str, element: Type) -> String {
        self.memory(wanted, element, MemoryKind::Sram { size: name("nnz_accel_max") })
    }

    pub(super) fn register(&mut self, wanted: &str, element: Type, init: AppExpr) -> String {
        self.memory(wanted, element, MemoryKind::Register { init: Some(init) })
    }
}
