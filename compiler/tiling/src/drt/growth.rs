//! Where tiles of a loop begin and end, in the iteration that the loops around it are in.
//!
//! A tile begins at the first micro-tile that some product needs. Operands grow theirs one after the other,
//! the most stationary one first, whose last loop is the outermost: along each of its indices whose loop has
//! not been entered, a micro-tile at a time, reduced ones first, as long as all operands fit. What an operand
//! has grown is the range of that index for all of them. It ends with the first operand that has the loop's
//! own index; the ranges of inner loops were grown to see which shape its tile has, and are grown anew in
//! each iteration of this loop.
//!
//! A range stays for all iterations of the loops inside of it. So every operand has to fit wherever these are, in
//! tiles of one micro-tile along their indices: then there is a tile for every iteration.

use super::Loops;
use super::gauge::Gauge;
use super::micro::Micro;
use crate::machine::Machine;
use std::ops::Range;

/// The tiles of the loop at a depth.
pub(crate) struct Growth<'a> {
    loops: &'a Loops,
    depth: usize,
    /// Of each operand.
    grids: &'a [&'a Micro],
    /// For each depth, which coordinates of micro-tiles are there in all operands with that index.
    is_shared: Vec<Vec<bool>>,
    /// The depths along which each operand grows, those that the ones before have grown not among them.
    grown: Vec<Vec<usize>>,
    gauges: Vec<Gauge<'a>>,
    ranges: Vec<Range<u32>>,
}

impl<'a> Growth<'a> {
    pub(crate) fn new(
        loops: &'a Loops,
        depth: usize,
        at: &[Range<u64>],
        grids: &'a [&'a Micro],
        machine: Machine,
    ) -> Self {
        let grown = grown(loops, depth);
        let growing: Vec<usize> = grown.iter().flatten().copied().collect();
        let gauges = (0..grids.len()).flat_map(|operand| {
            let sets = tiles_of(&loops.depths[operand], depth, &growing);
            sets.into_iter()
                .map(move |inside| Gauge::new(loops, operand, grids[operand], machine, at, &inside))
        });
        let gauges = gauges.collect();
        let ranges = vec![0..0; loops.variables.len()];
        let mut growth = Self { loops, depth, grids, is_shared: Vec::new(), grown, gauges, ranges };
        growth.is_shared = (0..loops.variables.len()).map(|inner| growth.shared(inner)).collect();
        growth
    }

    /// All tiles, in micro-tiles. Between them are only such as no product needs.
    pub(crate) fn ranges(mut self) -> Vec<Range<u32>> {
        let mut all = Vec::new();
        let mut next = 0;
        while let Some(corner) = self.next_shared(self.depth, next) {
            next = corner + 1;
            if self.start(corner) {
                let range = self.grow();
                next = range.end;
                all.push(range);
            }
        }
        all
    }

    /// The column of a loop in the micro-tiles of an operand.
    fn column(&self, operand: usize, depth: usize) -> Option<usize> {
        let depths = &self.loops.depths[operand];
        let entered = depths.len() - self.grids[operand].rank();
        depths[entered..].iter().position(|other| *other == depth)
    }

    fn shared(&self, depth: usize) -> Vec<bool> {
        if depth < self.depth {
            return Vec::new();
        }
        let count = self.loops.extents[depth].div_ceil(self.loops.micro[depth]);
        let columns: Vec<(usize, usize)> = (0..self.grids.len())
            .filter_map(|operand| self.column(operand, depth).map(|column| (operand, column)))
            .collect();
        let is_shared = |coordinate: u32| {
            columns.iter().all(|&(operand, column)| !self.grids[operand].slab(column, coordinate).is_empty())
        };
        (0..count as u32).map(is_shared).collect()
    }

    fn next_shared(&self, depth: usize, from: u32) -> Option<u32> {
        let is_shared = &self.is_shared[depth];
        (from..is_shared.len() as u32).find(|&coordinate| is_shared[coordinate as usize])
    }

    /// Begins a tile at a coordinate, and those of the inner loops where all operands may have something
    /// then; whether there is such a place.
    fn start(&mut self, corner: u32) -> bool {
        self.ranges[self.depth] = corner..corner + 1;
        for inner in self.depth + 1..self.ranges.len() {
            let Some(first) = self.first(inner, corner) else { return false };
            self.ranges[inner] = first..first + 1;
        }
        for gauge in &mut self.gauges {
            gauge.start(self.loops, &self.ranges);
        }
        true
    }

    /// Where the tiles of an inner loop begin when this one is at a coordinate.
    fn first(&self, inner: usize, corner: u32) -> Option<u32> {
        let mut first = self.next_shared(inner, 0)?;
        for operand in 0..self.grids.len() {
            let columns = (self.column(operand, self.depth), self.column(operand, inner));
            let (Some(own), Some(column)) = columns else { continue };
            let column = &self.grids[operand].coordinates[column];
            let tiles = self.grids[operand].slab(own, corner).iter().map(|&tile| column[tile as usize]);
            first = first.max(tiles.filter(|&at| self.is_shared[inner][at as usize]).min()?);
        }
        Some(first)
    }

    fn grow(&mut self) -> Range<u32> {
        for mut open in self.grown.clone() {
            while !open.is_empty() {
                open.retain(|&depth| self.advance(depth));
            }
        }
        self.ranges[self.depth].clone()
    }

    /// Grows a range to the next coordinate that all operands have, unless there is none or tiles get too
    /// large.
    fn advance(&mut self, depth: usize) -> bool {
        let end = self.ranges[depth].end;
        let Some(next) = self.next_shared(depth, end) else { return false };
        self.ranges[depth].end = next + 1;
        let (loops, ranges) = (self.loops, &self.ranges);
        let mut with: Vec<&mut Gauge<'a>> = self.gauges.iter_mut().filter(|gauge| gauge.has(depth)).collect();
        let fails = with.iter_mut().position(|gauge| !gauge.extend(loops, depth, end..next + 1, ranges));
        if let Some(failed) = fails {
            with[..=failed].iter_mut().for_each(|gauge| gauge.undo());
            self.ranges[depth].end = end;
        }
        fails.is_none()
    }
}

/// What each operand grows for a loop, up to the first operand that grows the loop's own range.
fn grown(loops: &Loops, depth: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<&Vec<usize>> = loops.depths.iter().collect();
    order.sort_by_key(|depths| depths.last());
    let mut all: Vec<Vec<usize>> = Vec::new();
    for depths in order {
        let is_new = |other: &usize| *other >= depth && !all.iter().flatten().any(|known| known == other);
        let mut own: Vec<usize> = depths.iter().copied().filter(is_new).collect();
        own.sort_by_key(|&other| !loops.is_reduced[other]);
        all.push(own);
        if depths.contains(&depth) {
            break;
        }
    }
    all
}

/// In which of its indices tiles of an operand have ranges while some loops are entered and others are not.
fn tiles_of(depths: &[usize], depth: usize, growing: &[usize]) -> Vec<Vec<usize>> {
    let left: Vec<usize> =
        depths.iter().copied().filter(|other| *other >= depth && growing.contains(other)).collect();
    (1..=left.len()).map(|count| left[..count].to_vec()).collect()
}
