//! The iterations of loops over tiles, and what they write.

use super::super::memory::Untiled;
use super::Before;
use super::products::TappedProduct;
use crate::graph::Graph;
use crate::simulate::memory::{INDEX, value_bytes};
use crate::simulate::outcome::result_dims;
use comet_tiling::{Machine, ResultTile};
use std::collections::BTreeMap;

/// Loops that products are in, those over tiles outside.
#[derive(Debug)]
pub(super) struct TiledNest {
    tiles: usize,
    /// Where the loops inside of tiles have the coordinates of the result.
    places: Vec<usize>,
    room: ResultBuffer,
    at: Vec<At>,
    /// For each tile that some product is in, or has passed and others have not, the points inside.
    open: BTreeMap<Vec<u64>, Vec<Vec<u64>>>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum At {
    Start,
    Behind(Vec<u64>),
    End,
}

/// What the tile of the result is written from.
#[derive(Debug)]
enum ResultBuffer {
    Sparse(Box<ResultTile>),
    /// A dense one, which is written whole: the bytes of a value, and its sides.
    Dense(u64, Vec<TileSide>),
}

#[derive(Clone, Copy, Debug)]
struct TileSide {
    size: u64,
    /// The loop over tiles that cuts the index, and how many coordinates there are in sum.
    cut: Option<(usize, u64)>,
}

impl TileSide {
    fn length(&self, tile: &[u64]) -> u64 {
        self.cut.map_or(self.size, |(place, extent)| {
            extent.saturating_sub(tile[place].saturating_mul(self.size)).min(self.size)
        })
    }
}

impl TiledNest {
    pub(super) fn tiles(&self) -> usize {
        self.tiles
    }

    pub(super) fn tap(&mut self) -> usize {
        self.at.push(At::Start);
        self.at.len() - 1
    }

    pub(super) fn add(&mut self, path: &[u64]) {
        let (tile, inside) = path.split_at(self.tiles);
        if let Some(points) = self.open.get_mut(tile) {
            // A whole tile is written whatever is in it.
            if matches!(self.room, ResultBuffer::Sparse(_)) {
                points.push(inside.to_vec());
            }
        } else {
            self.open.insert(tile.to_vec(), vec![inside.to_vec()]);
        }
    }

    pub(super) fn leave(&mut self, product: usize, tile: Option<&[u64]>) {
        self.at[product] = tile.map_or(At::End, |tile| At::Behind(tile.to_vec()));
    }

    /// Returns the bytes that the next iteration has written which all products have left, if there is one.
    pub(super) fn written(&mut self) -> Option<u64> {
        let tile = self.open.first_entry()?;
        let is_over = self.at.iter().all(|at| match at {
            At::Start => false,
            At::Behind(behind) => behind >= tile.key(),
            At::End => true,
        });
        if !is_over {
            return None;
        }
        let (tile, mut points) = tile.remove_entry();
        Some(match &mut self.room {
            ResultBuffer::Dense(value, sides) => {
                sides.iter().map(|side| side.length(&tile)).fold(*value, u64::saturating_mul)
            }
            ResultBuffer::Sparse(room) => {
                if self.at.len() > 1 {
                    points.sort_unstable();
                }
                for path in points {
                    // Tiles are shorter than 2³².
                    let point: Vec<u32> = self.places.iter().map(|&place| path[place] as u32).collect();
                    room.add(&point);
                }
                room.end()
            }
        })
    }
}

/// What is written, as far as that does not depend on the loops.
pub(super) struct ResultModes<'a> {
    graph: &'a Graph,
    modes: Vec<(&'a str, u64)>,
    untiled: &'a Untiled,
    machine: Machine,
}

impl<'a> ResultModes<'a> {
    pub(super) fn new(before: &Before<'a>) -> Self {
        let Before { graph, tensors, untiled, memory } = *before;
        let extents = result_dims(graph, tensors);
        let result = graph.tensors.first();
        let index = |mode| result.and_then(|result| graph.index(&result.name, mode)).unwrap_or_default();
        let modes = extents.iter().enumerate().map(|(mode, &extent)| (index(mode), extent as u64));
        let machine = Machine {
            value_bytes: result.map_or(0, |result| value_bytes(result.element)),
            word_bytes: INDEX,
            ..Machine::of_buffer(memory.element)
        };
        Self { graph, modes: modes.collect(), untiled, machine }
    }

    /// The loops of a product, before the first iteration.
    pub(super) fn nest(&self, product: &TappedProduct<'_>) -> TiledNest {
        let (over_tiles, inside) = product.loops.split_at(product.tiles);
        let of_result = |index: &str| self.modes.iter().any(|(mode, _)| *mode == index);
        let places: Vec<usize> = (0..inside.len()).filter(|&place| of_result(inside[place].index)).collect();
        let finished = inside.iter().take_while(|own| of_result(own.index)).count();
        let room = match self.is_dense() {
            true => {
                let tiles: Vec<&str> = over_tiles.iter().map(|own| own.index).collect();
                ResultBuffer::Dense(self.machine.value_bytes, self.sides(&tiles))
            }
            false => ResultBuffer::Sparse(Box::new(ResultTile::new(self.machine, places.len(), finished))),
        };
        TiledNest { tiles: product.tiles, places, room, at: Vec::new(), open: BTreeMap::new() }
    }

    fn is_dense(&self) -> bool {
        let Some(result) = self.graph.tensors.first() else { return true };
        result.is_dense() || self.untiled.dense.contains(&result.name)
    }

    /// The modes inside of tiles, of loops with these over tiles.
    fn sides(&self, tiles: &[&str]) -> Vec<TileSide> {
        let place = |index: &str| tiles.iter().position(|other| *other == index);
        let inside = self.modes.iter().filter(|(index, _)| place(index).is_none());
        let side = |(index, size): &(&str, u64)| {
            let cut = self.untiled.cuts.get(*index);
            let cut = cut.and_then(|cut| Some((place(&cut.over_tiles)?, cut.extent as u64)));
            TileSide { size: *size, cut }
        };
        inside.map(side).collect()
    }
}
