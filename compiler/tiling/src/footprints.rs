//! The tiles of an operand and what they take, in one pass over its entries and without sorting any: entries
//! are sorted by coordinates, so that those of a strip, all tiles with one place along the first mode, follow
//! each other.

use crate::grid::{Grid, Seen};
use crate::machine::{Footprint, Machine};
use crate::points::{Points, skipped};

/// Returns what each tile that is not empty takes, of strips that are wanted by their place along the first
/// mode.
pub(crate) fn footprints(
    points: &Points,
    sizes: &[u64],
    is_wanted: impl Fn(u32) -> bool,
    mut each: impl FnMut(Footprint),
) {
    strips(points, sizes, is_wanted, |_, strip| {
        strip.nodes.chunks_exact(points.rank()).for_each(|nodes| {
            each(Footprint::of_levels(nodes.iter().map(|&count| u64::from(count))));
        });
    });
}

/// Returns how much of the buffer the fullest tile of the wanted strips takes.
pub(crate) fn fullest(
    points: &Points,
    sizes: &[u64],
    machine: &Machine,
    is_wanted: impl Fn(u32) -> bool,
) -> f64 {
    let mut fullest = 0.0f64;
    footprints(points, sizes, is_wanted, |tile| fullest = fullest.max(machine.share(tile)));
    fullest
}

impl Grid {
    /// Of an operand that has not been cut.
    pub(crate) fn of_points(points: &Points, sizes: &[u64]) -> Self {
        let rank = points.rank();
        let counts = Strip::new(points, sizes).counts;
        let mut grid = Self { counts, coordinates: vec![Vec::new(); rank], nodes: vec![Vec::new(); rank] };
        strips(
            points,
            sizes,
            |_| true,
            |at, strip| {
                let tiles = strip.nodes.chunks_exact(rank).zip(&strip.keys);
                tiles.for_each(|(nodes, &key)| {
                    grid.nodes.iter_mut().zip(nodes).for_each(|(all, &own)| all.push(own));
                    let mut rest = key;
                    for mode in (1..rank).rev() {
                        grid.coordinates[mode].push((rest % strip.counts[mode]) as u32);
                        rest /= strip.counts[mode];
                    }
                    grid.coordinates[0].push(at);
                });
            },
        );
        grid
    }
}

fn strips(
    points: &Points,
    sizes: &[u64],
    is_wanted: impl Fn(u32) -> bool,
    mut each: impl FnMut(u32, &Strip<'_>),
) {
    let Some(first) = points.extents().first().map(|_| points.column(0)) else { return };
    let mut strip = Strip::new(points, sizes);
    let (side, mut begin) = (strip.sizes[0], 0);
    while begin < first.len() {
        let at = first[begin] / side;
        let end = begin + skipped(&first[begin..], |other| other / side <= at);
        if is_wanted(at) {
            strip.count(begin, end);
            each(at, &strip);
        }
        begin = end;
    }
}

struct Strip<'a> {
    columns: Vec<&'a [u32]>,
    sizes: Vec<u32>,
    counts: Vec<u64>,
    seen: Seen,
    /// The number of each tile: its places along the modes but the first.
    keys: Vec<u64>,
    /// How many nodes each tile has in each level.
    nodes: Vec<u32>,
    /// Which node of each level came last to each tile.
    last: Vec<u32>,
}

impl<'a> Strip<'a> {
    fn new(points: &'a Points, sizes: &[u64]) -> Self {
        let extents = points.extents();
        let sizes: Vec<u32> =
            sizes.iter().zip(extents).map(|(&size, &all)| size.clamp(1, all.max(1)) as u32).collect();
        let counts: Vec<u64> =
            sizes.iter().zip(extents).map(|(&size, all)| all.div_ceil(u64::from(size)).max(1)).collect();
        Self {
            columns: (0..points.rank()).map(|mode| points.column(mode)).collect(),
            seen: Seen::new(&counts[1..]),
            sizes,
            counts,
            keys: Vec::new(),
            nodes: Vec::new(),
            last: Vec::new(),
        }
    }

    /// Counts the nodes that some entries are below. An entry begins a node in each level from the first mode
    /// on in which it differs from the one before; a tile has a node if it has not come to this tile yet.
    fn count(&mut self, begin: usize, end: usize) {
        let rank = self.columns.len();
        self.seen.clear();
        self.keys.clear();
        self.nodes.clear();
        self.last.clear();
        let mut current = vec![0; rank];
        for entry in begin..end {
            let differs = |column: &&[u32]| entry == begin || column[entry] != column[entry - 1];
            let from = self.columns.iter().position(differs).unwrap_or(rank);
            current[from..].fill(entry as u32 + 1);
            let place = self.place(entry);
            let (nodes, last) = (&mut self.nodes[place..place + rank], &mut self.last[place..place + rank]);
            for ((nodes, last), current) in nodes.iter_mut().zip(&*last).zip(&current) {
                *nodes += u32::from(last != current);
            }
            last.copy_from_slice(&current);
        }
    }

    fn place(&mut self, entry: usize) -> usize {
        let modes = self.columns.iter().zip(&self.sizes).zip(&self.counts).skip(1);
        let key = modes.fold(0u64, |key, ((column, size), &count)| {
            key.wrapping_mul(count).wrapping_add(u64::from(column[entry] / size))
        });
        let (rank, new) = (self.columns.len(), self.keys.len());
        let place = self.seen.place(key, new as u32) as usize;
        if place == new {
            self.keys.push(key);
            self.nodes.extend(std::iter::repeat_n(0, rank));
            self.last.extend(std::iter::repeat_n(0, rank));
        }
        place * rank
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::drawn;
    use crate::random::Random;
    use crate::tiled::Tiled;
    use std::collections::BTreeSet;

    fn tiles(grid: &Grid) -> BTreeSet<(Vec<u32>, Vec<u32>)> {
        let of = |columns: &[Vec<u32>], tile: usize| columns.iter().map(|column| column[tile]).collect();
        (0..grid.len()).map(|tile| (of(&grid.coordinates, tile), of(&grid.nodes, tile))).collect()
    }

    /// Tiles of any size take what they take when they are cut.
    #[test]
    fn footprints_are_those_of_tiles_that_are_cut() {
        let mut random = Random::new(5);
        for trial in 0..200 {
            let (points, sizes) = drawn(&mut random, 1 + trial % 4, 30, 150);
            let extents = points.extents();
            let mut own = Vec::new();
            footprints(&points, &sizes, |_| true, |tile| own.push(tile));
            let mut cut = Tiled::new(&points, &sizes).footprints();
            let key = |tile: &Footprint| (tile.values, tile.coordinates, tile.segments, tile.longest);
            own.sort_by_key(key);
            cut.sort_by_key(key);
            assert_eq!(own, cut, "{extents:?} {sizes:?}");
            let ones = vec![1; extents.len()];
            let cut = Grid::new(&Tiled::new(&points, &sizes), extents, &ones);
            assert_eq!(tiles(&Grid::of_points(&points, &sizes)), tiles(&cut), "{extents:?} {sizes:?}");
        }
    }
}
