//! Positions, coordinates and values of operands with compressed levels: what is on chip of them, and when
//! (the scoping rules of stardust.txt section 6.3).

use super::expr::{binary, int, minus, mux, name, plus, read, times};
use super::nest::{Access, Var};
use super::plan::LevelRole;
use super::presence::Atom;
use super::scope::{Cursor, PositionArray, Segment};
use super::{Emitter, index_type};
use crate::app::{DramPart, Expr, Kind, MemoryKind, Operator};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    /// One after the other, once.
    InOrder,
    Anywhere,
}

impl Emitter<'_> {
    /// Positions that are the same in all iterations of all loops: those below an outermost level. They are
    /// on chip from the beginning.
    pub(super) fn load_first_positions(&mut self, operands: &[Access]) {
        for access in operands {
            if self.is_on_chip(access) {
                continue;
            }
            let levels = &self.nest.tensors[access.tensor].levels;
            match levels.iter().position(|level| !level.is_full()) {
                Some(0) if !self.is_counted(access, 0) => {
                    self.load_positions(access, 0, int(0), int(2));
                }
                Some(1) => {
                    let extent = self.level_extent(access.tensor, 0);
                    self.load_positions(access, 1, int(0), plus(extent, int(1)));
                }
                _ => {}
            }
        }
    }

    /// Whether how many coordinates a level has is an argument: an outermost one has only one segment.
    fn is_counted(&self, access: &Access, level: usize) -> bool {
        level == 0 && !self.nest.tensors[access.tensor].is_temporary
    }

    /// How many coordinates the outermost level of an operand has.
    fn level_count(&mut self, tensor: usize) -> Expr {
        self.needs.counts.insert(tensor);
        name(format!("{}1_nnz", self.nest.tensors[tensor].name))
    }

    fn is_on_chip(&self, access: &Access) -> bool {
        self.nest.tensors[access.tensor].home != super::Home::OffChip
    }

    fn load_positions(&mut self, access: &Access, level: usize, from: Expr, to: Expr) {
        let array = format!("{}{}_pos", self.label(access), level + 1);
        let memory = self.frames.sram(&array, index_type());
        let dram = format!("{}{}_pos_d", self.nest.tensors[access.tensor].name, level + 1);
        self.frames.load(&memory, part(dram, from, to, self.setting("ip")));
        let positions = PositionArray { memory, is_whole: false };
        self.scope.positions.insert((access.clone(), level), positions);
    }

    /// In front of a loop: the positions of the level below that of its variable, for its part of this. Those
    /// of which a scan asks for some are read in DRAM.
    pub(super) fn load_next_positions(&mut self, access: &Access, level: usize, role: LevelRole) {
        let next = level + 1;
        let is_needed = next < self.nest.tensors[access.tensor].levels.len()
            && !self.nest.is_full_at(access, next)
            && !self.scope.positions.contains_key(&(access.clone(), next));
        if !is_needed {
            return;
        }
        if role == LevelRole::Scanned {
            let array = format!("{}{}_pos", self.nest.tensors[access.tensor].name, next + 1);
            let memory = self.sparse_operand(&array, index_type());
            self.scope.positions.insert((access.clone(), next), PositionArray { memory, is_whole: true });
            return;
        }
        let (from, to) = match !self.nest.is_full_at(access, level) {
            true => {
                let segment = &self.scope.segments[&(access.clone(), level)];
                (segment.start.clone(), plus(segment.end.clone(), int(1)))
            }
            false => {
                let parent = self.parent_position(access, level);
                let extent = self.level_extent(access.tensor, level);
                let from = times(parent.clone(), extent.clone());
                let to = plus(times(plus(parent, int(1)), extent), int(1));
                match self.scope.condition(&self.nest.stored_above(access, level)) {
                    Some(condition) => (mux(condition.clone(), from, int(0)), mux(condition, to, int(0))),
                    None => (from, to),
                }
            }
        };
        self.load_positions(access, next, from, to);
    }

    /// Where the levels before one stand, counted from the beginning of the level above it.
    pub(super) fn parent_position(&mut self, access: &Access, level: usize) -> Expr {
        let trailing = self.nest.tensors[access.tensor].trailing();
        let above = trailing.start.min(level);
        let position = if above == 0 { int(0) } else { self.scope.cursors[access].absolute.clone() };
        // Dense levels behind the compressed ones are where their coordinates are, whatever the order of
        // loops.
        (above..level).fold(position, |position, level| {
            let coordinate = self.scope.coordinates[&self.nest.var_at(access, level)].clone();
            let extent = if level == 0 { int(0) } else { self.level_extent(access.tensor, level) };
            plus(times(position, extent), coordinate)
        })
    }

    fn parent_local(&self, access: &Access, level: usize) -> Expr {
        if level == 0 { int(0) } else { self.scope.cursors[access].local.clone() }
    }

    /// In front of a loop: where the segment of a compressed level begins and ends. Below what is not stored
    /// it is empty.
    pub(super) fn segment(&mut self, access: &Access, level: usize) -> Segment {
        if self.nest.is_row(access.tensor) {
            return self.scope.segments[&(access.clone(), level)].clone();
        }
        if self.is_counted(access, level) {
            let len = self.level_count(access.tensor);
            let segment = Segment { start: int(0), end: len.clone(), len };
            self.scope.segments.insert((access.clone(), level), segment.clone());
            return segment;
        }
        let PositionArray { memory, is_whole } = self.scope.positions[&(access.clone(), level)].clone();
        let local = match is_whole {
            true => self.scope.cursors[access].absolute.clone(),
            false => self.parent_local(access, level),
        };
        let condition = self.scope.condition(&self.nest.stored_above(access, level));
        let guarded = |position: Expr| match &condition {
            Some(condition) => mux(condition.clone(), position, int(0)),
            None => position,
        };
        let label = self.label(access);
        let stem = format!("{}{label}", self.name_of(self.nest.var_at(access, level)));
        let mut val = |part: &str, value: Expr| name(self.frames.val(&format!("{stem}_{part}"), value));
        let start = val("start", guarded(read(&memory, local.clone())));
        let end = val("end", guarded(read(&memory, plus(local, int(1)))));
        let len = val("len", minus(end.clone(), start.clone()));
        let segment = Segment { start, end, len };
        self.scope.segments.insert((access.clone(), level), segment.clone());
        segment
    }

    /// A FIFO with the coordinates of a segment, so many at once.
    pub(super) fn coordinates(
        &mut self,
        access: &Access,
        level: usize,
        segment: &Segment,
        lanes: Expr,
    ) -> String {
        if let Some(row) = self.rows.get(&access.tensor) {
            return row.crd.clone();
        }
        let stem = format!("{}{}_crd", self.label(access), level + 1);
        let dram = format!("{}{}_crd_d", self.nest.tensors[access.tensor].name, level + 1);
        let fifo = self.frames.fifo(&stem, index_type());
        let part = part(dram, segment.start.clone(), segment.end.clone(), lanes);
        self.frames.load(&fifo, part);
        fifo
    }

    /// The values of a segment of the last level: in a FIFO if they are taken in order, in an SRAM otherwise.
    pub(super) fn segment_values(&mut self, access: &Access, segment: &Segment, reads: Reads) -> String {
        if let Some(row) = self.rows.get(&access.tensor) {
            return row.values.clone();
        }
        let stem = format!("{}_vals", self.label(access));
        let dram = format!("{}_vals_d", self.nest.tensors[access.tensor].name);
        let element = self.element(access.tensor);
        let memory = if reads == Reads::InOrder {
            self.frames.fifo(&stem, element)
        } else {
            self.frames.sram(&stem, element)
        };
        let lanes_of = if reads == Reads::InOrder { int(1) } else { self.setting("ip") };
        let part = part(dram, segment.start.clone(), segment.end.clone(), lanes_of);
        self.frames.load(&memory, part);
        memory
    }

    /// The elements of an array of an operand, for reads at any place: declared once, in front of all loops.
    pub(super) fn sparse_operand(&mut self, array: &str, element: crate::app::Type) -> String {
        if let Some(memory) = self.sparse_operands.get(array) {
            return memory.clone();
        }
        let kind = MemoryKind::SparseDram { par: self.setting("bp"), size: name("nnz_max") };
        let memory = self.frames.memory_outside(array, element, kind);
        let dram = format!("{array}_d");
        self.frames.push_outside(Kind::Alias { memory: memory.clone(), dram });
        self.sparse_operands.insert(array.to_owned(), memory.clone());
        memory
    }

    pub(super) fn is_last(&self, access: &Access, level: usize) -> bool {
        level + 1 == self.nest.tensors[access.tensor].levels.len()
    }

    /// Inside of a loop: dense levels over its variable go to its coordinate.
    pub(super) fn step_dense(&mut self, access: &Access, var: Var, level: usize) {
        if self.nest.tensors[access.tensor].trailing().contains(&level) {
            return;
        }
        let coordinate = self.scope.coordinates[&var].clone();
        let parent = self.parent_position(access, level);
        let extent = if level == 0 { int(0) } else { self.level_extent(access.tensor, level) };
        let absolute = plus(times(parent, extent), coordinate.clone());
        self.scope.cursors.insert(access.clone(), Cursor { local: coordinate, absolute });
    }

    /// Inside of a loop: a compressed level stands at a place of its segment; `flag` says whether it does.
    pub(super) fn step_compressed(&mut self, access: &Access, level: usize, local: Expr, flag: Option<Expr>) {
        let var = self.nest.var_at(access, level);
        let start = self.scope.segments[&(access.clone(), level)].start.clone();
        let absolute = plus(start, local.clone());
        let absolute = match &flag {
            Some(flag) => mux(flag.clone(), absolute, int(0)),
            None => absolute,
        };
        if let Some(flag) = flag {
            self.scope.flags.insert(Atom::Level(access.clone(), var), flag);
        }
        self.scope.cursors.insert(access.clone(), Cursor { local, absolute });
    }
}

/// `dram(from::to par lanes)`.
pub(super) fn part(dram: String, from: Expr, to: Expr, lanes: Expr) -> DramPart {
    DramPart { dram, from, to, par: Some(lanes) }
}

/// `value >= 0`.
pub(super) fn is_there(value: Expr) -> Expr {
    binary(Operator::GreaterEqual, value, int(0))
}
