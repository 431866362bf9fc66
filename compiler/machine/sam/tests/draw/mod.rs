//! Numbers drawn at random, the same on every machine.

#![allow(dead_code, reason = "no test needs all of it")]

use std::collections::BTreeSet;

/// A linear congruential generator, of which the high bits are used.
pub(crate) struct Draw(u64);

impl Draw {
    /// One that begins with this state.
    pub(crate) fn new(state: u64) -> Self {
        Self(state)
    }

    /// One whose first numbers differ even where seeds are next to each other.
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next number of 31 bits.
    pub(crate) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// The next number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.number() as usize % bound
    }

    /// Whether something comes true, of a hundred times.
    pub(crate) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of them.
    pub(crate) fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// All of them in any order.
    pub(crate) fn shuffled<T: Clone>(&mut self, of: &[T]) -> Vec<T> {
        let mut rest = of.to_vec();
        let mut shuffled = Vec::new();
        while !rest.is_empty() {
            let place = self.below(rest.len());
            shuffled.push(rest.remove(place));
        }
        shuffled
    }

    /// So many numbers below a bound, all different.
    pub(crate) fn places(&mut self, count: usize, bound: usize) -> BTreeSet<usize> {
        let mut places = BTreeSet::new();
        while places.len() < count {
            places.insert(self.below(bound));
        }
        places
    }
}
