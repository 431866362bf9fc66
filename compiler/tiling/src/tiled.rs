//! Tiled tensors in compressed sparse fibers (d2t2.txt section 2.2, figure 2): `A[i, k]` becomes
//! `A[i', k', i, k]`, where the outer indices go over tiles and the inner ones stay inside of one.

use crate::machine::Footprint;
use crate::points::{Points, stable_order};
use crate::random::mixed;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// A level of compressed sparse fibers: node n of the level above has the children `segments[n]` to
/// `segments[n + 1]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FiberLevel {
    /// Where the children of each node of the level above begin; one more than these.
    pub segments: Vec<u32>,
    pub coordinates: Vec<u32>,
}

/// A tensor of rank r in tiles: r levels of tiles, which only have those that are not empty, and below them r
/// levels of what is in a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiled {
    sizes: Vec<u64>,
    levels: Vec<FiberLevel>,
}

impl Tiled {
    /// Cuts points into tiles of these sizes, one a mode: a counting sort for each mode, and one walk over
    /// the points. Levels are in the order of the modes.
    ///
    /// ```
    /// use comet_tiling::{Points, Tiled};
    /// let points = Points::new(&[4, 4], &[vec![0, 1, 3], vec![1, 2, 3]]).unwrap();
    /// let tiled = Tiled::new(&points, &[2, 2]);
    /// // Tiles (0, 0), (0, 1) and (1, 1).
    /// assert_eq!(tiled.level(0).coordinates, [0, 1]);
    /// assert_eq!(tiled.level(1).coordinates, [0, 1, 1]);
    /// assert_eq!(tiled.level(3).coordinates, [1, 0, 1]);
    /// ```
    pub fn new(points: &Points, sizes: &[u64]) -> Self {
        Self::in_order(points, sizes, &(0..points.rank()).collect::<Vec<_>>())
    }

    /// The same with the levels of tiles in another order of the modes than those inside of tiles.
    pub fn in_order(points: &Points, sizes: &[u64], outer: &[usize]) -> Self {
        let rank = points.rank();
        assert_eq!((rank, rank), (sizes.len(), outer.len()), "every mode has a size and a place");
        // A tile beyond the extent is one of the extent, and divisors fit coordinates.
        let narrow: Vec<u32> =
            sizes.iter().zip(points.extents()).map(|(&size, &all)| size.min(all).max(1) as u32).collect();
        let mut order: Vec<u32> = (0..points.len() as u32).collect();
        for &mode in outer.iter().rev() {
            let (column, size) = (points.column(mode), narrow[mode]);
            let tiles = points.extents()[mode].div_ceil(u64::from(size)) as usize;
            order = stable_order(&order, tiles, |entry| (column[entry as usize] / size) as usize);
        }
        let mut levels = vec![FiberLevel::default(); 2 * rank];
        let mut last = vec![u32::MAX; 2 * rank];
        let mut path = vec![0; 2 * rank];
        for &entry in &order {
            for (place, &mode) in outer.iter().enumerate() {
                let coordinate = points.column(mode)[entry as usize];
                path[place] = coordinate / narrow[mode];
                path[rank + mode] = coordinate - path[place] * narrow[mode];
            }
            let first = path.iter().zip(&last).position(|(one, other)| one != other).unwrap_or(2 * rank);
            for place in first..2 * rank {
                let begin = levels[place].coordinates.len() as u32;
                if place > first {
                    levels[place].segments.push(begin);
                }
                levels[place].coordinates.push(path[place]);
            }
            last[first..].copy_from_slice(&path[first..]);
        }
        if let Some(root) = levels.first_mut() {
            root.segments.push(0);
        }
        for level in &mut levels {
            level.segments.push(level.coordinates.len() as u32);
        }
        Self { sizes: sizes.to_vec(), levels }
    }

    /// The rank of the tensor, which has twice as many levels.
    pub fn rank(&self) -> usize {
        self.sizes.len()
    }

    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    pub fn level(&self, level: usize) -> &FiberLevel {
        &self.levels[level]
    }

    pub fn levels(&self) -> &[FiberLevel] {
        &self.levels
    }

    /// How many tiles are not empty.
    pub fn tiles(&self) -> usize {
        self.rank().checked_sub(1).map_or(1, |last| self.levels[last].coordinates.len())
    }

    /// Whether tiles have several entries each, so that going over tiles costs less than going over entries.
    pub(crate) fn is_coarse(&self) -> bool {
        let entries = self.levels.last().map_or(1, |last| last.coordinates.len());
        ENTRIES_OF_COARSE * self.tiles() < entries
    }

    /// What each tile takes, in the order of the tiles.
    pub fn footprints(&self) -> Vec<Footprint> {
        (0..self.tiles()).map(|tile| Footprint::of_levels(self.nodes(tile))).collect()
    }

    /// How many tiles there would be, about, if so many along each mode were put together: from some strips
    /// of them along the first mode.
    pub(crate) fn tiles_about(&self, factors: &[u32]) -> f64 {
        let first = &self.levels[0].coordinates;
        let (mut seen, mut put_together, mut looked_at) = (FxHashSet::default(), 0, 0);
        let mut path = vec![0; self.rank()];
        for strip in 0..STRIPS {
            let Some(&at) = first.get((2 * strip + 1) * first.len() / (2 * STRIPS)) else { return 0.0 };
            let begin = first.partition_point(|&other| other / factors[0] < at / factors[0]);
            let end = first.partition_point(|&other| other / factors[0] <= at / factors[0]);
            seen.clear();
            for node in begin..end {
                self.walk((1, self.rank()), node, &mut path, &mut |path| {
                    let rest = path.iter().zip(factors).skip(1);
                    seen.insert(rest.fold(0u64, |key, (at, by)| mixed(key ^ u64::from(at / by))));
                    looked_at += 1;
                });
            }
            put_together += seen.len();
        }
        self.tiles() as f64 * put_together as f64 / f64::max(looked_at as f64, 1.0)
    }

    /// How many nodes a tile has in each of its levels.
    pub(crate) fn nodes(&self, tile: usize) -> impl Iterator<Item = u64> + '_ {
        let of = |range: &mut Range<usize>, level: &FiberLevel| {
            *range = level.segments[range.start] as usize..level.segments[range.end] as usize;
            Some(range.len() as u64)
        };
        self.levels[self.rank()..].iter().scan(tile..tile + 1, of)
    }

    /// The tile that has each node of the innermost level of tiles: its coordinates, level by level.
    pub fn tile_coordinates(&self) -> Vec<Vec<u32>> {
        let mut columns = vec![Vec::with_capacity(self.tiles()); self.rank()];
        self.each_tile(|path| {
            columns.iter_mut().zip(path).for_each(|(column, &coordinate)| column.push(coordinate));
        });
        columns
    }

    /// Goes over the tiles with their coordinates, level by level.
    pub(crate) fn each_tile(&self, mut each: impl FnMut(&[u32])) {
        let mut path = vec![0; self.rank()];
        self.walk((0, self.rank()), 0, &mut path, &mut each);
    }

    /// Goes over the nodes of the level before one depth that are below a node of another.
    fn walk(
        &self,
        (depth, end): (usize, usize),
        parent: usize,
        path: &mut Vec<u32>,
        each: &mut impl FnMut(&[u32]),
    ) {
        if depth == end {
            each(path);
            return;
        }
        let level = &self.levels[depth];
        for node in level.segments[parent]..level.segments[parent + 1] {
            path[depth] = level.coordinates[node as usize];
            self.walk((depth + 1, end), node as usize, path, each);
        }
    }
}

/// How many entries tiles have on average, at least, where they are few for them.
const ENTRIES_OF_COARSE: usize = 4;

/// How many strips of tiles are counted to estimate how many tiles there are.
const STRIPS: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    /// Figure 2: the matrix of figure 2a in tiles of 2 by 2 has these arrays.
    #[test]
    fn levels_address_what_is_below() {
        // . a . .
        // b . . c
        // . . . .
        // . . d e
        let points = Points::new(&[4, 4], &[vec![0, 1, 1, 3, 3], vec![1, 0, 3, 2, 3]]).expect("inside");
        let tiled = Tiled::new(&points, &[2, 2]);
        let arrays: Vec<_> =
            tiled.levels().iter().map(|level| (&level.segments[..], &level.coordinates[..])).collect();
        assert_eq!(arrays[0], (&[0, 2][..], &[0, 1][..]));
        assert_eq!(arrays[1], (&[0, 2, 3][..], &[0, 1, 1][..]));
        assert_eq!(arrays[2], (&[0, 2, 3, 4][..], &[0, 1, 1, 1][..]));
        assert_eq!(arrays[3], (&[0, 1, 2, 3, 5][..], &[1, 0, 1, 0, 1][..]));
        assert_eq!(tiled.footprints()[0], Footprint::of_nodes(&[2, 2]));
        assert_eq!(tiled.footprints()[2], Footprint::of_nodes(&[1, 2]));
        assert_eq!(tiled.tile_coordinates(), [vec![0, 0, 1], vec![0, 1, 1]]);
    }

    /// Empty tensors have no tiles.
    #[test]
    fn nothing_has_no_tiles() {
        let tiled = Tiled::new(&Points::new(&[5], &[vec![]]).expect("inside"), &[2]);
        assert_eq!((tiled.tiles(), tiled.level(0).segments.clone()), (0, vec![0, 0]));
    }
}
