//! How full buffers get while tiles grow.

use super::Loops;
use super::micro::Micro;
use crate::grid::Seen;
use crate::machine::{Footprint, Machine};
use std::ops::Range;

/// Tiles of an operand in ranges of some of its indices, one for each micro-tile's place along the others.
pub(crate) struct Gauge<'a> {
    micro: &'a Micro,
    machine: Machine,
    /// Columns of the micro-tiles with the depths of their loops: those with a range.
    inside: Vec<(usize, usize)>,
    outside: Vec<usize>,
    /// For each level, how many coordinates its index has at most where that is no range.
    lengths: Vec<u64>,
    entered: usize,
    places: Seen,
    /// The nodes of each tile, level by level.
    nodes: Vec<u32>,
    /// How many there can be, whatever sums of micro-tiles say.
    most: Vec<u64>,
    /// Machine for the nodes of one tile.
    bounded: Vec<u64>,
    added: Vec<(u32, u32)>,
}

impl<'a> Gauge<'a> {
    /// Of an operand with ranges along the loops of some depths, `at` where the loops are that have been
    /// entered.
    pub(crate) fn new(
        loops: &Loops,
        operand: usize,
        micro: &'a Micro,
        machine: Machine,
        at: &[Range<u64>],
        inside: &[usize],
    ) -> Self {
        let depths = &loops.depths[operand];
        let entered = depths.len() - micro.rank();
        let length = |(level, &depth): (usize, &usize)| {
            if level < entered { at[depth].end - at[depth].start } else { loops.micro[depth] }
        };
        let columns = || depths[entered..].iter().copied().enumerate();
        let outside: Vec<usize> =
            columns().filter(|(_, depth)| !inside.contains(depth)).map(|(column, _)| column).collect();
        let counts: Vec<u64> = outside.iter().map(|&column| micro.counts[column]).collect();
        Self {
            inside: columns().filter(|(_, depth)| inside.contains(depth)).collect(),
            lengths: depths.iter().enumerate().map(length).collect(),
            places: Seen::new(&counts),
            nodes: Vec::new(),
            most: vec![0; depths.len()],
            bounded: Vec::new(),
            added: Vec::new(),
            micro,
            machine,
            outside,
            entered,
        }
    }

    /// Whether it has a range along the loop at a depth.
    pub(crate) fn has(&self, depth: usize) -> bool {
        self.inside.iter().any(|(_, other)| *other == depth)
    }

    /// Begins with ranges of one micro-tile, which fits.
    pub(crate) fn start(&mut self, loops: &Loops, ranges: &[Range<u32>]) {
        self.places.clear();
        self.nodes.clear();
        self.most.fill(u64::MAX);
        if let Some(&(_, depth)) = self.inside.first() {
            self.add(depth, ranges[depth].clone(), ranges);
        }
        self.bound(loops, ranges);
    }

    /// Adds what is new when the range of one depth, in `ranges` already, has grown; whether all still fits.
    pub(crate) fn extend(
        &mut self,
        loops: &Loops,
        depth: usize,
        new: Range<u32>,
        ranges: &[Range<u32>],
    ) -> bool {
        self.bound(loops, ranges);
        self.add(depth, new, ranges)
    }

    /// How many nodes there can be at most in ranges: levels of few coordinates have few nodes in however
    /// many micro-tiles they are.
    fn bound(&mut self, loops: &Loops, ranges: &[Range<u32>]) {
        for &(column, depth) in &self.inside {
            let range = loops.coordinates(depth, &ranges[depth]);
            self.lengths[self.entered + column] = range.end - range.start;
        }
        let mut all = 1u64;
        for (most, length) in self.most.iter_mut().zip(&self.lengths) {
            all = all.saturating_mul(*length);
            *most = all;
        }
    }

    fn add(&mut self, depth: usize, new: Range<u32>, ranges: &[Range<u32>]) -> bool {
        self.added.clear();
        let micro = self.micro;
        let (column, _) =
            *self.inside.iter().find(|(_, other)| *other == depth).expect("a depth that it has a range of");
        let first = usize::from(column == 0);
        let others: Vec<(usize, usize)> =
            self.inside.iter().copied().filter(|(other, _)| *other != column).collect();
        for coordinate in new {
            let mut slab = micro.slab(column, coordinate);
            if let Some((_, depth)) = others.iter().find(|(other, _)| *other == first) {
                slab = micro.narrowed(slab, first, &ranges[*depth]);
            }
            let is_inside = |tile: u32| {
                others
                    .iter()
                    .all(|&(other, depth)| ranges[depth].contains(&micro.coordinates[other][tile as usize]))
            };
            for &tile in slab {
                if is_inside(tile) && !self.add_tile(tile) {
                    return false;
                }
            }
        }
        true
    }

    fn add_tile(&mut self, tile: u32) -> bool {
        let micro = self.micro;
        let key = self.outside.iter().fold(0, |key, &column| {
            key * micro.counts[column] + u64::from(micro.coordinates[column][tile as usize])
        });
        let levels = micro.nodes.len();
        let new = self.nodes.len() / levels;
        let place = self.places.place(key, new as u32);
        if place as usize == new {
            self.nodes.resize(self.nodes.len() + levels, 0);
        }
        let own = &mut self.nodes[place as usize * levels..][..levels];
        own.iter_mut().zip(&micro.nodes).for_each(|(own, all)| *own += all[tile as usize]);
        self.added.push((place, tile));
        self.bounded.clear();
        self.bounded.extend(own.iter().zip(&self.most).map(|(&own, &most)| u64::from(own).min(most)));
        self.machine.fits(Footprint::of_nodes(&self.bounded))
    }

    /// Takes away what has been added last.
    pub(crate) fn undo(&mut self) {
        let levels = self.micro.nodes.len();
        for (place, tile) in self.added.drain(..) {
            let own = &mut self.nodes[place as usize * levels..][..levels];
            own.iter_mut().zip(&self.micro.nodes).for_each(|(own, all)| *own -= all[tile as usize]);
        }
    }
}
