//! How many cycles belong to each block, bin by bin.

use std::collections::BTreeMap;
use std::ops::Range;

/// For each bin and block its cycles, without those that have none.
#[derive(Debug)]
pub(super) struct Shares {
    cycles: BTreeMap<(usize, usize), u64>,
    width: u64,
}

impl Default for Shares {
    fn default() -> Self {
        Self { cycles: BTreeMap::new(), width: 1 }
    }
}

impl Shares {
    /// Adds cycles of a block, in bins of this width at least.
    pub(super) fn add(&mut self, block: usize, cycles: Range<u64>, width: u64) {
        self.widen(width);
        let mut start = cycles.start;
        while start < cycles.end {
            let bin = (start - 1) / self.width;
            let end = cycles.end.min((bin + 1) * self.width + 1);
            *self.cycles.entry((bin as usize, block)).or_default() += end - start;
            start = end;
        }
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.widen(other.width);
        other.widen(self.width);
        if self.cycles.is_empty() {
            self.cycles = other.cycles;
            return;
        }
        for (place, cycles) in other.cycles {
            *self.cycles.entry(place).or_default() += cycles;
        }
    }

    /// Makes bins of this width, a multiple of the former one, unless they are wider.
    fn widen(&mut self, width: u64) {
        if width <= self.width {
            return;
        }
        let factor = (width / self.width) as usize;
        self.width = width;
        for ((bin, block), cycles) in std::mem::take(&mut self.cycles) {
            *self.cycles.entry((bin / factor, block)).or_default() += cycles;
        }
    }

    /// For each block its cycles in each of so many bins.
    pub(super) fn by_block(&self, blocks: usize, bins: usize) -> Vec<Vec<u64>> {
        let mut found = vec![vec![0; bins]; blocks];
        for (&(bin, block), cycles) in &self.cycles {
            found[block][bin] += cycles;
        }
        found
    }
}
