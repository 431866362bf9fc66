//! Slices of an operand, from which it is read how many nodes tiles have in common.

use crate::distinct::Distinct;
use crate::nested::Around;
use crate::points::Points;
use crate::random::Random;
use crate::statement::Var;
use std::cell::RefCell;
use std::collections::HashMap;

pub(crate) struct Slices {
    rank: usize,
    /// The coordinates of the entries, one behind the other.
    points: Vec<u32>,
    /// Where each slice begins, and of how many entries each of its own stands for one.
    slices: Vec<(usize, f64)>,
    /// Nodes that were counted, by level and sizes of tiles.
    known: RefCell<HashMap<(usize, Vec<u64>), f64>>,
}

/// How many slices are drawn, and of how many entries.
const SLICES: usize = 64;
const ENTRIES: usize = 4096;

impl Slices {
    pub(crate) fn draw(points: &Points, seed: u64) -> Self {
        let rank = points.rank();
        let mut drawn = Self { rank, points: Vec::new(), slices: Vec::new(), known: RefCell::default() };
        if points.is_empty() || rank < 2 {
            return drawn;
        }
        let mut random = Random::new(seed);
        let column = points.column(0);
        while drawn.slices.len() < SLICES && drawn.points.len() < ENTRIES * rank {
            let at = column[random.below(column.len())];
            let begin = column.partition_point(|&other| other < at);
            let count = column[begin..].partition_point(|&other| other == at);
            drawn.slices.push((drawn.points.len(), 1.0 / count as f64));
            for place in begin..begin + count {
                drawn.points.extend((0..rank).map(|mode| points.column(mode)[place]));
            }
        }
        drawn
    }

    /// The same slices inside of tiles, of an operand with these indices.
    pub(crate) fn inside(&self, around: &Around, indices: &[Var]) -> Self {
        let mut points = Vec::new();
        let of_point = self.points.chunks_exact(self.rank.max(1));
        of_point.for_each(|point| around.point(indices, point, &mut points));
        let times = points.len().checked_div(self.points.len()).unwrap_or(1);
        let slices = self.slices.iter().map(|&(begin, weight)| (begin * times, weight)).collect();
        Self { rank: self.rank * times, points, slices, known: RefCell::default() }
    }

    /// What is left of the nodes of each level when tiles of one size are put together to tiles of another.
    pub(crate) fn shares(&self, from: &[u64], to: &[u64]) -> Vec<f64> {
        let rank = from.len();
        let share = |level: usize| {
            if level + 1 == rank || from[level + 1..] == to[level + 1..] || self.points.is_empty() {
                return 1.0;
            }
            self.nodes(level, to) / self.nodes(level, from)
        };
        (0..rank).map(share).collect()
    }

    fn nodes(&self, level: usize, sizes: &[u64]) -> f64 {
        let key = (level, sizes[level + 1..].to_vec());
        if let Some(&known) = self.known.borrow().get(&key) {
            return known;
        }
        let size = |(mode, &size): (usize, &u64)| {
            if mode <= level { 1 } else { size.clamp(1, u64::from(u32::MAX)) as u32 }
        };
        let sizes: Vec<u32> = sizes.iter().enumerate().map(size).collect();
        let ends = self.slices.iter().skip(1).map(|(begin, _)| *begin).chain([self.points.len()]);
        let mut seen = Distinct::new(self.points.len() / self.rank);
        let mut count = 0.0;
        for (number, (&(begin, weight), end)) in self.slices.iter().zip(ends).enumerate() {
            // A slice that was drawn twice is counted twice.
            let is_new =
                |point: &&[u32]| seen.insert(number as u64, point.iter().copied().zip(sizes.iter().copied()));
            count += weight * self.points[begin..end].chunks_exact(self.rank).filter(is_new).count() as f64;
        }
        self.known.borrow_mut().insert(key, count);
        count
    }
}
