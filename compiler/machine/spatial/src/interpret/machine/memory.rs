//! Memories: what is in them, since when, and how much may be.

use super::faults::room;
use super::{MOST_ELEMENTS, Machine, Result};
use crate::interpret::outcome::Traffic;
use crate::interpret::program::{ArrayUse, Node};
use comet_diag::{Diagnostic, Span};
use std::collections::VecDeque;

/// An element, and when it was written: 0 if never.
#[derive(Clone, Copy, Default)]
pub(super) struct Cell {
    pub(super) word: u64,
    pub(super) stamp: u64,
}

#[derive(Default)]
pub(super) struct ArrayState {
    /// The elements up to the last one that was written in any life of the memory.
    pub(super) cells: Vec<Cell>,
    pub(super) size: usize,
    /// How many it had at most, in any life of it.
    pub(super) most: usize,
    /// When it has begun anew: what was written before is not there any more.
    pub(super) birth: u64,
    /// What the accelerator has moved, of DRAMs.
    pub(super) traffic: Traffic,
    /// The bursts that hold the elements that were read and written last by themselves.
    pub(super) last_bursts: [Option<u64>; 2],
}

impl ArrayState {
    /// An element, if it was written in this life of the memory.
    #[inline]
    pub(super) fn filled(&self, index: usize) -> Option<&Cell> {
        self.cells.get(index).filter(|cell| cell.stamp >= self.birth)
    }
}

#[derive(Default)]
pub(super) struct Fifo {
    pub(super) waiting: VecDeque<u64>,
    /// The most that have waited at a time.
    pub(super) most: usize,
}

impl Fifo {
    #[inline]
    pub(super) fn note(&mut self) {
        self.most = self.most.max(self.waiting.len());
    }
}

impl Machine<'_> {
    pub(super) fn allocate(&mut self, array: usize, size: &Node, span: Span) -> Result<()> {
        let size = self.evaluate(size)? as i64;
        let Ok(size) = usize::try_from(size) else {
            let name = &self.program.arrays[array].name;
            let error = format!("`{name}` is declared with {size} elements");
            return Err(Diagnostic::error(span, error).into());
        };
        self.begin(array, size);
        Ok(())
    }

    pub(super) fn begin(&mut self, array: usize, size: usize) {
        let birth = self.tick();
        let array = &mut self.arrays[array];
        array.cells.truncate(size);
        array.size = size;
        array.most = array.most.max(size);
        array.birth = birth;
    }

    /// Makes room for the elements in front of `end`, which are elements of the memory: only what is written
    /// takes room.
    #[inline]
    pub(super) fn reach(&mut self, array: usize, end: usize, span: Span) -> Result<()> {
        match end <= self.arrays[array].cells.len() {
            true => Ok(()),
            false => self.extend(array, end, span),
        }
    }

    /// Makes room for an element that is about to be written, if it is one.
    #[cold]
    pub(super) fn reach_element(&mut self, place: &ArrayUse, index: u64, span: Span) -> Result<()> {
        match usize::try_from(index) {
            Ok(index) if index < self.arrays[place.array].size => self.reach(place.array, index + 1, span),
            _ => Err(self.out_of_bounds(place.array, index, span)),
        }
    }

    #[cold]
    fn extend(&mut self, array: usize, end: usize, span: Span) -> Result<()> {
        let ArrayState { cells, size, .. } = &mut self.arrays[array];
        let len = end.max((2 * cells.len()).min(*size));
        let more = len.saturating_sub(cells.capacity());
        if more > self.room {
            let name = &self.program.arrays[array].name;
            let error = format!("there is no room for what is written to `{name}`");
            return Err(Diagnostic::error(span, error).hint(room()).into());
        }
        if more > 0 {
            cells.reserve_exact(len - cells.len());
            self.room -= more;
        }
        cells.resize(len, Cell::default());
        Ok(())
    }

    #[inline]
    pub(super) fn reserve(&mut self, fifo: usize, more: usize) -> Result<()> {
        let waiting = &self.fifos[fifo].waiting;
        match waiting.len() + more <= waiting.capacity() {
            true => Ok(()),
            false => self.grow(fifo, more),
        }
    }

    #[cold]
    fn grow(&mut self, fifo: usize, more: usize) -> Result<()> {
        let waiting = &mut self.fifos[fifo].waiting;
        let (len, before) = (waiting.len(), waiting.capacity());
        let after = (len + more).next_power_of_two().max(16);
        let grown = after - before;
        if after > MOST_ELEMENTS || grown > self.room {
            let info = &self.program.fifos[fifo];
            let error = format!("`{}` holds {len} elements, and there is no room for more", info.name);
            return Err(Diagnostic::error(info.span, error).hint(room()).into());
        }
        waiting.reserve_exact(after - len);
        self.room -= grown;
        Ok(())
    }
}
