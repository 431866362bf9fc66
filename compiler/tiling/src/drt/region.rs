//! What an operand has in the ranges of the loops that have been entered.

use super::micro::Micro;
use crate::machine::Footprint;
use crate::points::{Buckets, Points};
use crate::statement::{Var, position};
use crate::tiled::FiberLevel;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// The entries of an operand, twice: in dataflow order, and in the order in which results are counted.
pub(crate) struct RegionEntries {
    stored: Arc<Points>,
    counted: Arc<Points>,
    /// The indices in the second order.
    pub(crate) counting: Vec<Var>,
    /// Which mode of the second one each mode of the first one is.
    modes: Vec<usize>,
}

/// Entries in the ranges of the loops around, by their numbers, and the micro-tiles that are left.
#[derive(Clone)]
pub(crate) struct Region<'a> {
    pub(crate) micro: Rc<Micro>,
    stored: &'a [u32],
    counted: &'a [u32],
    /// When all loops of its indices have been entered.
    pub(crate) tile: Option<Rc<Tile>>,
}

pub(crate) struct Tile {
    pub(crate) footprint: Footprint,
    /// In the order in which results are counted.
    pub(crate) levels: Vec<FiberLevel>,
}

/// The entries of a region by the ranges of a loop.
pub(crate) struct RegionParts {
    stored: Buckets,
    /// None if the orders are the same.
    counted: Option<Buckets>,
}

impl RegionEntries {
    pub(crate) fn new(points: &Arc<Points>, indices: &[Var], order: &[Var]) -> Self {
        let counting: Vec<Var> = order.iter().copied().filter(|var| indices.contains(var)).collect();
        let of: Vec<usize> = counting.iter().map(|&var| position(indices, var)).collect();
        let modes: Vec<usize> = indices.iter().map(|&var| position(&counting, var)).collect();
        let is_same = counting == indices;
        let counted = if is_same { Arc::clone(points) } else { Arc::new(points.permuted(&of)) };
        Self { stored: Arc::clone(points), counted, counting, modes }
    }

    /// The numbers of all entries, in either order.
    pub(crate) fn all(&self) -> Vec<u32> {
        (0..self.stored.len() as u32).collect()
    }

    fn is_same(&self) -> bool {
        Arc::ptr_eq(&self.stored, &self.counted)
    }

    /// Cuts a region along a mode, into ranges of micro-tiles of a size. What is between them is left out.
    pub(crate) fn parts(
        &self,
        region: &Region<'_>,
        mode: usize,
        ranges: &[Range<u32>],
        size: u64,
    ) -> RegionParts {
        let cut = |entries: &[u32], column: &[u32]| by_ranges(entries, column, ranges, size as u32);
        RegionParts {
            stored: cut(region.stored, self.stored.column(mode)),
            counted: (!self.is_same()).then(|| cut(region.counted, self.counted.column(self.modes[mode]))),
        }
    }

    pub(crate) fn tile(&self, region: &Region<'_>) -> Tile {
        let levels = fibers(&self.counted, region.counted);
        let nodes =
            |levels: &[FiberLevel]| levels.iter().map(|level| level.coordinates.len() as u64).collect();
        let nodes: Vec<u64> =
            if self.is_same() { nodes(&levels) } else { self::nodes(&self.stored, region.stored) };
        Tile { footprint: Footprint::of_nodes(&nodes), levels }
    }
}

impl<'a> Region<'a> {
    pub(crate) fn new(micro: Rc<Micro>, all: &'a [u32]) -> Self {
        Self { micro, stored: all, counted: all, tile: None }
    }
}

impl RegionParts {
    pub(crate) fn is_empty(&self, place: usize) -> bool {
        self.stored.of(place).is_empty()
    }

    pub(crate) fn region(&self, place: usize, micro: Micro) -> Region<'_> {
        let stored = self.stored.of(place);
        let counted = self.counted.as_ref().map_or(stored, |counted| counted.of(place));
        Region { micro: Rc::new(micro), stored, counted, tile: None }
    }
}

/// Sorts entries by the range of a mode that they are in; those in none are left out.
fn by_ranges(entries: &[u32], column: &[u32], ranges: &[Range<u32>], size: u32) -> Buckets {
    let end = ranges.last().map_or(0, |range| range.end as usize);
    let mut part_of = vec![u32::MAX; end];
    for (part, range) in ranges.iter().enumerate() {
        part_of[range.start as usize..range.end as usize].fill(part as u32);
    }
    let part =
        |entry: u32| part_of.get((column[entry as usize] / size) as usize).copied().unwrap_or(u32::MAX);
    let kept: Vec<u32> = entries.iter().copied().filter(|&entry| part(entry) != u32::MAX).collect();
    Buckets::new(&kept, ranges.len(), |entry| part(entry) as usize)
}

/// The first mode in which each entry differs from the one before it.
fn differences<'p>(points: &'p Points, entries: &'p [u32]) -> impl Iterator<Item = (u32, usize)> {
    let mut last = None;
    entries.iter().map(move |&entry| {
        let differs = |last: u32| {
            let is_other = |&mode: &usize| {
                let column = points.column(mode);
                column[last as usize] != column[entry as usize]
            };
            (0..points.rank()).find(is_other).expect("each point is there once")
        };
        (entry, last.replace(entry).map_or(0, differs))
    })
}

/// Compressed sparse fibers of entries in the order of the points.
fn fibers(points: &Points, entries: &[u32]) -> Vec<FiberLevel> {
    let mut levels = vec![FiberLevel::default(); points.rank()];
    for (entry, first) in differences(points, entries) {
        for (mode, level) in levels.iter_mut().enumerate().skip(first) {
            let begin = level.coordinates.len() as u32;
            if mode > first || begin == 0 {
                level.segments.push(begin);
            }
            level.coordinates.push(points.column(mode)[entry as usize]);
        }
    }
    for level in &mut levels {
        level.segments.push(level.coordinates.len() as u32);
    }
    levels
}

/// How many nodes each level of them has.
fn nodes(points: &Points, entries: &[u32]) -> Vec<u64> {
    let mut nodes = vec![0; points.rank()];
    for (_, first) in differences(points, entries) {
        nodes[first..].iter_mut().for_each(|count| *count += 1);
    }
    nodes
}
