//! Memories: what is in them, since when, and how much may be.

use super::{MOST_ELEMENTS, Machine, Result};
use crate::interpret::outcome::Traffic;
use crate::interpret::program::Allocate;
use std::collections::VecDeque;

/// An element, and when it was written: 0 if never.
#[derive(Clone, Copy, Default)]
pub(super) struct Cell {
    pub(super) word: u64,
    pub(super) stamp: u64,
}

/// A memory with addresses.
#[derive(Default)]
pub(super) struct Array {
    pub(super) cells: Vec<Cell>,
    /// When it has begun anew: what was written before is not there any more.
    pub(super) birth: u64,
    /// What the accelerator has moved, of DRAMs.
    pub(super) traffic: Traffic,
}

/// A queue.
#[derive(Default)]
pub(super) struct Fifo {
    pub(super) waiting: VecDeque<u64>,
    /// The most that have waited at a time.
    pub(super) most: usize,
}

impl Fifo {
    /// Notes how many wait.
    #[inline]
    pub(super) fn note(&mut self) {
        self.most = self.most.max(self.waiting.len());
    }
}

impl Machine<'_> {
    /// A memory begins anew.
    pub(super) fn allocate(&mut self, allocate: &Allocate) -> Result<()> {
        let size = self.evaluate(&allocate.size)? as i64;
        let Ok(size) = usize::try_from(size) else {
            return Err(self.negative(allocate.array, size, allocate.span));
        };
        match self.begin(allocate.array, size) {
            true => Ok(()),
            false => Err(self.no_room(allocate.array, size, allocate.span)),
        }
    }

    /// A memory of a size begins anew, if there is room for it.
    pub(super) fn begin(&mut self, array: usize, size: usize) -> bool {
        let birth = self.tick();
        let array = &mut self.arrays[array];
        let room = self.room + array.cells.len();
        if room < size {
            return false;
        }
        self.room = room - size;
        array.cells.resize(size, Cell::default());
        array.birth = birth;
        true
    }

    /// Makes room in a FIFO.
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
            return Err(self.too_many_wait(fifo));
        }
        waiting.reserve_exact(after - len);
        self.room -= grown;
        Ok(())
    }
}
