//! Micro-tiles of an operand, over those of its indices whose loops have not been entered yet.

use crate::grid::Grid;
use crate::points::{Buckets, stable_order};
use std::ops::Range;

/// Micro-tiles that are not empty, and what they hold. Along indices of loops that have been entered, all
/// micro-tiles of the iteration's range are one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Micro {
    /// How many there are along each index that is left.
    pub(crate) counts: Vec<u64>,
    /// Where they are, one column for each index that is left; sorted by the first column, then the second.
    pub(crate) coordinates: Vec<Vec<u32>>,
    /// How many nodes each has in each level of the operand.
    pub(crate) nodes: Vec<Vec<u32>>,
    /// By their coordinates in each column.
    slabs: Vec<Buckets>,
}

impl Micro {
    pub(crate) fn new(grid: Grid) -> Self {
        let Grid { counts, coordinates, nodes } = grid;
        Self::indexed(counts, coordinates, nodes)
    }

    fn indexed(counts: Vec<u64>, coordinates: Vec<Vec<u32>>, nodes: Vec<Vec<u32>>) -> Self {
        let slabs = coordinates.iter().zip(&counts).map(|(column, &count)| {
            let all: Vec<u32> = (0..column.len() as u32).collect();
            Buckets::new(&all, count as usize, |tile| column[tile as usize] as usize)
        });
        Self { slabs: slabs.collect(), counts, coordinates, nodes }
    }

    /// How many indices are left.
    pub(crate) fn rank(&self) -> usize {
        self.counts.len()
    }

    /// Those with a coordinate in a column, sorted by the other columns.
    pub(crate) fn slab(&self, column: usize, coordinate: u32) -> &[u32] {
        self.slabs[column].of(coordinate as usize)
    }

    /// Those of a slab that are in a range of another column, which is the first of the others.
    pub(crate) fn narrowed<'s>(&self, slab: &'s [u32], column: usize, range: &Range<u32>) -> &'s [u32] {
        let column = &self.coordinates[column];
        let below = |bound: u32| slab.partition_point(|&tile| column[tile as usize] < bound);
        &slab[below(range.start)..below(range.end)]
    }

    /// What is left when the loop over the first index is in a range.
    pub(crate) fn entered(&self, range: &Range<u32>) -> Self {
        if self.rank() == 1 {
            return Self::default();
        }
        let start = |at: u32| self.slabs[0].start(at as usize) as u32;
        let mut order: Vec<u32> = (start(range.start)..start(range.end)).collect();
        let (counts, columns) = (&self.counts[1..], &self.coordinates[1..]);
        for (column, &count) in columns.iter().zip(counts).rev() {
            order = stable_order(&order, count as usize, |tile| column[tile as usize] as usize);
        }
        let mut coordinates = vec![Vec::new(); columns.len()];
        let mut nodes = vec![Vec::new(); self.nodes.len()];
        let mut last: Option<u32> = None;
        for tile in order {
            let is_new =
                last.is_none_or(|last| columns.iter().any(|at| at[last as usize] != at[tile as usize]));
            if is_new {
                coordinates.iter_mut().zip(columns).for_each(|(own, all)| own.push(all[tile as usize]));
                nodes.iter_mut().for_each(|level: &mut Vec<u32>| level.push(0));
            }
            for (own, all) in nodes.iter_mut().zip(&self.nodes) {
                *own.last_mut().expect("the first tile is new") += all[tile as usize];
            }
            last = Some(tile);
        }
        Self::indexed(counts.to_vec(), coordinates, nodes)
    }
}
