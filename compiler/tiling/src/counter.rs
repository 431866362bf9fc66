//! Counts what a tile of a result takes: which of its points products have.

use crate::join::{Cursor, Terms, Visitor};
use crate::machine::Footprint;
use crate::statement::Target;

/// The nodes of a tile of the result.
pub(crate) struct Counter {
    nodes: Vec<u64>,
    /// For each coordinate of the last index, the fiber in which it was seen last.
    seen: Vec<u32>,
    fiber: u32,
    /// How many values there were before that fiber, and the most that one has had.
    before: u64,
    longest: u64,
    /// Whether one value is all that counts: a tile of a dense result takes the same with any.
    is_whole: bool,
    /// How many levels are of loops around, and have one coordinate.
    outside: usize,
}

impl Counter {
    /// Of a result whose last index has so many coordinates, and whose first indices are of loops around.
    pub(crate) fn new(target: &Target, coordinates: usize, outside: usize) -> Self {
        let rank = target.indices.len();
        let seen = vec![0; if rank == 0 { 1 } else { coordinates }];
        let is_whole = target.is_dense || rank == 0;
        Self { nodes: vec![0; rank.max(1)], seen, fiber: 0, before: 0, longest: 0, is_whole, outside }
    }

    pub(crate) fn start(&mut self) {
        self.nodes.fill(0);
        self.next_fiber();
        self.longest = 0;
    }

    /// What has been counted, in a tile of so many coordinates.
    pub(crate) fn footprint(&self, target: &Target, extent: u64) -> Footprint {
        match self.nodes.last() {
            Some(0) | None => Footprint::default(),
            Some(_) if target.is_dense => Footprint::dense(extent),
            Some(_) if target.indices.is_empty() => Footprint::dense(1),
            Some(_) => Footprint::of_nodes(&self.nodes[self.outside..]),
        }
    }

    /// The most values that a fiber of the tile has.
    pub(crate) fn longest(&self) -> u64 {
        self.longest.max(self.values() - self.before)
    }

    fn values(&self) -> u64 {
        self.nodes.last().copied().unwrap_or(0)
    }

    fn next_fiber(&mut self) {
        self.longest = self.longest.max(self.values().saturating_sub(self.before));
        self.before = self.values();
        self.fiber = self.fiber.wrapping_add(1);
        if self.fiber == 0 {
            self.seen.fill(0);
            self.fiber = 1;
        }
    }
}

impl Visitor for Counter {
    fn leaf(&mut self, terms: Terms, at: &Cursor) -> Terms {
        let place = if self.seen.len() == 1 { 0 } else { at.path.last().map_or(0, |&last| last as usize) };
        if self.seen[place] != self.fiber {
            self.seen[place] = self.fiber;
            *self.nodes.last_mut().expect("a result has a level of values") += 1;
        }
        terms
    }

    fn leave(&mut self, depth: usize, reached: Terms, _at: &Cursor) {
        // The loops over the indices of the result but the last are outermost.
        if depth + 1 >= self.nodes.len() {
            return;
        }
        if reached != 0 {
            self.nodes[depth] += 1;
        }
        if depth + 2 == self.nodes.len() {
            self.next_fiber();
        }
    }

    fn is_done(&self) -> bool {
        self.is_whole && self.nodes.last().is_some_and(|&values| values > 0)
    }
}
