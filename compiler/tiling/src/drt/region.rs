//! What an operand has in the ranges of the loops that have been entered.

use super::micro::Micro;
use crate::machine::Footprint;
use crate::points::Points;
use crate::statement::Var;
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
    stored: Sorted,
    /// None if the orders are the same.
    counted: Option<Sorted>,
}

struct Sorted {
    order: Vec<u32>,
    starts: Vec<usize>,
}

impl RegionEntries {
    pub(crate) fn new(points: &Arc<Points>, indices: &[Var], order: &[Var]) -> Self {
        let counting: Vec<Var> = order.iter().copied().filter(|var| indices.contains(var)).collect();
        let place = |all: &[Var], var: &Var| all.iter().position(|other| other == var).expect("an index");
        let of: Vec<usize> = counting.iter().map(|var| place(indices, var)).collect();
        let modes: Vec<usize> = indices.iter().map(|var| place(&counting, var)).collect();
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
        let cut = |entries: &[u32], column: &[u32]| Sorted::new(entries, column, ranges, size as u32);
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
        self.stored.part(place).is_empty()
    }

    pub(crate) fn region(&self, place: usize, micro: Micro) -> Region<'_> {
        let stored = self.stored.part(place);
        let counted = self.counted.as_ref().map_or(stored, |counted| counted.part(place));
        Region { micro: Rc::new(micro), stored, counted, tile: None }
    }
}

impl Sorted {
    fn new(entries: &[u32], column: &[u32], ranges: &[Range<u32>], size: u32) -> Self {
        let end = ranges.last().map_or(0, |range| range.end as usize);
        let mut part_of = vec![u32::MAX; end];
        for (part, range) in ranges.iter().enumerate() {
            part_of[range.start as usize..range.end as usize].fill(part as u32);
        }
        let part = |entry: u32| {
            let part = part_of.get((column[entry as usize] / size) as usize).copied().unwrap_or(u32::MAX);
            (part != u32::MAX).then_some(part as usize)
        };
        let mut starts = vec![0; ranges.len() + 1];
        entries.iter().filter_map(|&entry| part(entry)).for_each(|part| starts[part + 1] += 1);
        for part in 0..ranges.len() {
            starts[part + 1] += starts[part];
        }
        let mut next = starts.clone();
        let mut order = vec![0; starts[ranges.len()]];
        for &entry in entries {
            if let Some(part) = part(entry) {
                order[next[part]] = entry;
                next[part] += 1;
            }
        }
        Self { order, starts }
    }

    fn part(&self, place: usize) -> &[u32] {
        &self.order[self.starts[place]..self.starts[place + 1]]
    }
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
