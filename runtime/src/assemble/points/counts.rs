//! What has happened while points were collected: what Fig. 7 of sparse-workspace.txt counts, and memory.

use super::all;
use super::{AccumulatorKind, acc};

/// The counts of one result that points were collected for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PointCounts {
    pub(crate) kind: AccumulatorKind,
    /// Points that came.
    pub(crate) inserts: u64,
    /// Points that met one of their element in the accumulator, which a list never sees.
    pub(crate) hits: u64,
    /// How often the accumulator was sorted.
    pub(crate) sorts: u64,
    /// The points that were sorted.
    pub(crate) sorted: u64,
    /// n log₂ n summed over the sorts, n of the points of one.
    pub(crate) steps: f64,
    /// How often sorted points, or a later part of the result, came to a part that had elements.
    pub(crate) merges: u64,
    /// Elements that merging has written: new ones, and those that made way for them.
    pub(crate) merged: u64,
    /// Points and elements that were copied because the accumulator or the result became larger.
    pub(crate) copied: u64,
    /// The most points that the accumulator had room for.
    pub(crate) capacity: usize,
    /// The most bytes of that room and of what sorting takes.
    pub(crate) capacity_bytes: usize,
    /// The bytes of a point in the accumulator.
    pub(crate) point_bytes: usize,
    /// The elements of the result.
    pub(crate) elements: usize,
    /// The bytes of an element as its coordinates, as they are stored, and its value.
    pub(crate) element_bytes: usize,
    /// The most bytes that were in use at once, the result's among them.
    pub(crate) peak: usize,
}

impl PointCounts {
    pub(super) fn new(kind: AccumulatorKind, point_bytes: usize) -> Self {
        Self { kind, point_bytes, ..Self::default() }
    }

    /// So many points are sorted.
    pub(super) fn sort(&mut self, points: usize) {
        self.sorts += 1;
        self.sorted += points as u64;
        self.steps += steps(points);
    }

    /// So many bytes are in use.
    pub(super) fn use_bytes(&mut self, bytes: usize) {
        self.peak = self.peak.max(bytes);
    }

    /// Takes what the accumulator and the result have counted. Every point was sorted or a hit.
    pub(super) fn add(&mut self, acc: acc::Tally, all: all::Tally) {
        self.hits = acc.hits;
        self.inserts = self.sorted + acc.hits;
        self.merged = all.merged;
        self.copied = acc.copied + all.copied;
        self.capacity = acc.capacity;
        self.capacity_bytes = acc.space.saturating_mul(self.point_bytes);
    }
}

/// n log₂ n, which a sort of n elements is taken to cost.
pub(crate) fn steps(elements: usize) -> f64 {
    let elements = elements as f64;
    if elements > 1.0 { elements * elements.log2() } else { 0.0 }
}
