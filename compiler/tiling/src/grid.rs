//! Which tiles of an operand are not empty, and what they hold: the part of a tiled tensor that statistics
//! are made of. Neighbouring tiles can be put together, which describes larger tiles without looking at
//! entries.

use crate::machine::{Footprint, Machine};
use crate::tiled::Tiled;
use std::collections::HashMap;
use std::rc::Rc;

/// The tiles of an operand that are not empty.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub(crate) counts: Vec<u64>,
    /// Where each tile is, one column a mode. The first column ascends.
    pub(crate) coordinates: Vec<Vec<u32>>,
    /// How many nodes each tile has in each level; of tiles put together, the sum of theirs.
    pub(crate) nodes: Vec<Vec<u32>>,
}

/// What is known of an operand in tiles of one size.
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    pub(crate) tiles: f64,
    /// What all of them take together, in bytes: `SizeTile` times their number.
    pub(crate) bytes: f64,
    /// What of all of them there is no room for, in bytes.
    pub(crate) beyond: f64,
    /// How much of the buffer the fullest one takes: `MaxTile`.
    pub(crate) fullest: f64,
    /// For each mode and each coordinate of tiles along it, how many tiles there are and what they take.
    pub(crate) along: Vec<Vec<(f64, f64)>>,
    /// Along each mode, how many coordinates have a tile: `PrTileIdx` of that mode alone.
    pub(crate) present: Vec<f64>,
    /// The tiles, and the share of their nodes in each level that is there.
    pub(crate) grid: Rc<Grid>,
    shares: Vec<f64>,
}

impl Summary {
    pub(crate) fn bytes_of(&self, machine: &Machine, tile: usize) -> f64 {
        machine.bytes(self.grid.footprint(tile, &self.shares, machine)) as f64
    }
}

impl Grid {
    /// Of an operand in tiles, so many of which are put together along each mode.
    pub(crate) fn new(tiled: &Tiled, extents: &[u64], factors: &[u64]) -> Self {
        let rank = tiled.rank();
        let counts = extents.iter().zip(tiled.sizes()).zip(factors);
        let counts = counts.map(|((&extent, size), factor)| extent.div_ceil(size * factor).max(1)).collect();
        let mut whole = Gathered::new(counts, factors);
        let mut nodes = vec![0; rank];
        let mut tile = 0;
        tiled.each_tile(|path| {
            nodes.iter_mut().zip(tiled.nodes(tile)).for_each(|(own, count)| *own = count as u32);
            whole.add(path, &nodes);
            tile += 1;
        });
        whole.grid
    }

    pub(crate) fn len(&self) -> usize {
        self.coordinates.first().map_or(0, Vec::len)
    }

    /// Puts so many tiles together along each mode.
    pub(crate) fn coarsened(&self, factors: &[u64]) -> Self {
        let counts = self.counts.iter().zip(factors).map(|(count, factor)| count.div_ceil(*factor)).collect();
        let mut whole = Gathered::new(counts, factors);
        let (mut path, mut nodes) = (vec![0; factors.len()], vec![0; factors.len()]);
        for tile in 0..self.len() {
            path.iter_mut().zip(&self.coordinates).for_each(|(own, column)| *own = column[tile]);
            nodes.iter_mut().zip(&self.nodes).for_each(|(own, column)| *own = column[tile]);
            whole.add(&path, &nodes);
        }
        whole.grid
    }

    /// What is known of the tiles if only this share of the nodes of each level is there: those that were in
    /// two of the tiles that were put together are one.
    pub(crate) fn summary(self: &Rc<Self>, machine: &Machine, shares: Vec<f64>) -> Summary {
        let mut along: Vec<Vec<(f64, f64)>> =
            self.counts.iter().map(|&count| vec![(0.0, 0.0); count as usize]).collect();
        let (mut bytes, mut beyond, mut fullest) = (0.0, 0.0, 0.0f64);
        for tile in 0..self.len() {
            let footprint = self.footprint(tile, &shares, machine);
            let takes = machine.bytes(footprint) as f64;
            bytes += takes;
            beyond += machine.beyond(footprint) as f64;
            fullest = fullest.max(machine.share(footprint));
            for (mode, column) in self.coordinates.iter().enumerate() {
                let at = &mut along[mode][column[tile] as usize];
                *at = (at.0 + 1.0, at.1 + takes);
            }
        }
        let present = along.iter().map(|all| all.iter().filter(|(tiles, _)| *tiles > 0.0).count() as f64);
        let (tiles, present) = (self.len() as f64, present.collect());
        Summary { tiles, bytes, beyond, fullest, present, along, grid: Rc::clone(self), shares }
    }

    fn footprint(&self, tile: usize, shares: &[f64], machine: &Machine) -> Footprint {
        let own = |(level, (all, share)): (usize, (&Vec<u32>, &f64))| {
            let nodes = (f64::from(all[tile]) * share).round().max(1.0) as u64;
            if level < machine.outside as usize { 1 } else { nodes }
        };
        Footprint::of_levels(self.nodes.iter().zip(shares).enumerate().map(own))
    }
}

/// Tiles that are put together while others come, by their first coordinates.
struct Gathered {
    grid: Grid,
    factors: Vec<u32>,
    seen: Seen,
    strip: Option<u32>,
}

impl Gathered {
    fn new(counts: Vec<u64>, factors: &[u64]) -> Self {
        let rank = counts.len();
        let seen = Seen::new(&counts[1..]);
        let factors = factors.iter().map(|&factor| factor.min(u64::from(u32::MAX)) as u32).collect();
        let grid = Grid { counts, coordinates: vec![Vec::new(); rank], nodes: vec![Vec::new(); rank] };
        Self { grid, factors, seen, strip: None }
    }

    /// A tile with so many nodes in each level.
    fn add(&mut self, path: &[u32], nodes: &[u32]) {
        let first = path[0] / self.factors[0];
        if self.strip != Some(first) {
            self.strip = Some(first);
            self.seen.clear();
        }
        // Beyond 2⁶⁴ places two tiles may be taken for one, which statistics survive.
        let key = (1..path.len()).fold(0u64, |key, mode| {
            let own = u64::from(path[mode] / self.factors[mode]);
            key.wrapping_mul(self.grid.counts[mode]).wrapping_add(own)
        });
        let place = self.seen.place(key, self.grid.len() as u32) as usize;
        if place == self.grid.len() {
            let own = path.iter().zip(&self.factors).map(|(at, factor)| at / factor);
            self.grid.coordinates.iter_mut().zip(own).for_each(|(all, own)| all.push(own));
            self.grid.nodes.iter_mut().zip(nodes).for_each(|(all, own)| all.push(*own));
        } else {
            self.grid.nodes.iter_mut().zip(nodes).for_each(|(all, own)| all[place] += own);
        }
    }
}

/// Where the tile of a key is in a strip of tiles.
pub(crate) enum Seen {
    /// For every key, in which strip it was seen last, and where.
    Slots {
        places: Vec<(u32, u32)>,
        strip: u32,
    },
    Map(HashMap<u64, u32>),
}

/// How many keys are worth a slot each.
const SLOTS: u64 = 1 << 22;

impl Seen {
    pub(crate) fn new(counts: &[u64]) -> Self {
        let keys = counts.iter().try_fold(1u64, |keys, &count| keys.checked_mul(count));
        match keys {
            Some(keys) if keys <= SLOTS => Self::Slots { places: vec![(0, 0); keys as usize], strip: 0 },
            _ => Self::Map(HashMap::new()),
        }
    }

    pub(crate) fn clear(&mut self) {
        match self {
            Self::Slots { strip, .. } => *strip += 1,
            Self::Map(map) => map.clear(),
        }
    }

    /// The place of a key; this one if it has none.
    pub(crate) fn place(&mut self, key: u64, new: u32) -> u32 {
        match self {
            Self::Slots { places, strip } => {
                let at = &mut places[key as usize];
                if at.0 != *strip {
                    *at = (*strip, new);
                }
                at.1
            }
            Self::Map(map) => *map.entry(key).or_insert(new),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::Points;

    /// Tiles put together are those of a coarser cut.
    #[test]
    fn coarser_grids_are_those_of_larger_tiles() {
        let points = Points::new(&[7, 9], &[vec![0, 0, 1, 3, 6, 6], vec![0, 8, 2, 3, 3, 8]]).expect("inside");
        let machine = Machine::of_buffer(1 << 10);
        let cut = |sizes| Rc::new(Grid::new(&Tiled::new(&points, sizes), points.extents(), &[1, 1]));
        let own = cut(&[2, 4]).summary(&machine, vec![1.0, 1.0]);
        let coarse = Rc::new(cut(&[1, 2]).coarsened(&[2, 2])).summary(&machine, vec![1.0, 1.0]);
        let tiles = |summary: &Summary| -> Vec<Vec<f64>> {
            summary.along.iter().map(|all| all.iter().map(|at| at.0).collect()).collect()
        };
        assert_eq!(tiles(&coarse), tiles(&own));
        assert_eq!((coarse.tiles, coarse.bytes, coarse.present), (own.tiles, own.bytes, own.present));
    }
}
