//! Which blocks step, and when.

use std::collections::BTreeSet;

/// Which blocks step in this cycle, and which in the next: a bit for each.
#[derive(Debug)]
pub(super) struct Ready {
    now: Vec<u64>,
    next: Vec<u64>,
    /// The first word that may have bits of this cycle.
    word: usize,
    timers: BTreeSet<(u64, usize)>,
}

impl Ready {
    pub(super) fn all(blocks: usize) -> Self {
        let words = blocks.div_ceil(64);
        let mut ready = Self { now: vec![0; words], next: vec![0; words], word: 0, timers: BTreeSet::new() };
        (0..blocks).for_each(|block| ready.wake(block));
        ready
    }

    #[inline]
    pub(super) fn wake(&mut self, block: usize) {
        self.next[block / 64] |= 1 << (block % 64);
    }

    pub(super) fn wake_at(&mut self, cycle: u64, block: usize) {
        self.timers.insert((cycle, block));
    }

    /// The cycle behind this one, or where no block steps in it the one that a block waits for.
    pub(super) fn cycle_behind(&self, cycle: u64) -> u64 {
        let has_next = self.next.iter().any(|word| *word != 0);
        let awaited = self.timers.first().filter(|_| !has_next);
        awaited.map_or(cycle + 1, |(awaited, _)| *awaited.max(&(cycle + 1)))
    }

    /// Begins a cycle; all blocks of the last one have been taken. `false`: none is to step any more.
    pub(super) fn begin_cycle(&mut self, cycle: u64) -> bool {
        while let Some(&(awaited, block)) = self.timers.first()
            && awaited <= cycle
        {
            self.timers.pop_first();
            self.wake(block);
        }
        std::mem::swap(&mut self.now, &mut self.next);
        self.word = 0;
        self.now.iter().any(|word| *word != 0)
    }

    /// A block that is to step in this cycle, and has not been taken.
    #[inline]
    pub(super) fn take(&mut self) -> Option<usize> {
        while let Some(bits) = self.now.get_mut(self.word) {
            if *bits != 0 {
                let bit = bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                return Some(self.word * 64 + bit);
            }
            self.word += 1;
        }
        None
    }
}
