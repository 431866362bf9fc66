//! What a statement in tiles writes: in each iteration of the loops over tiles the tile of the result that
//! its products make, as [`comet_tiling::ResultTile`] has it.
//!
//! Sums over tiles are made in main memory, where the reducers of a graph would have to keep all of the
//! result. Nothing of that is a block's: whoever reads the graph computes the same. So the streams of the
//! products and of the coordinates around them are looked at as they go by, before anything is reduced.

mod nest;
mod products;
mod tap;

use super::memory::{MemoryModel, Untiled};
use super::network::Network;
use crate::graph::{BlockId, Graph, Port};
use crate::storage::StoredTensor;
use nest::{ResultModes, TiledNest};
use std::collections::BTreeMap;
use tap::{Tap, TapEvent};

/// The tiles of a graph's result while it runs.
#[derive(Debug)]
pub(super) struct ResultTiles {
    taps: Vec<Tap>,
    /// The loops that products are in; those in loops over the same variables are added up.
    nests: Vec<TiledNest>,
}

/// What is known before a graph runs.
pub(super) struct Before<'a> {
    pub(super) graph: &'a Graph,
    pub(super) tensors: &'a BTreeMap<String, StoredTensor>,
    pub(super) untiled: &'a Untiled,
    pub(super) memory: MemoryModel,
}

impl ResultTiles {
    /// Looks at the streams of products from now on. `place` is where an output is in the network.
    pub(super) fn new(
        before: &Before<'_>,
        network: &mut Network,
        place: &dyn Fn((BlockId, Port)) -> usize,
    ) -> Self {
        let (mut taps, mut nests, mut known) = (Vec::new(), Vec::<TiledNest>::new(), Vec::<Vec<&str>>::new());
        let written = ResultModes::new(before);
        for product in products::of(before.graph, before.untiled) {
            let indices: Vec<&str> = product.loops.iter().map(|own| own.index).collect();
            let nest = known.iter().position(|other| *other == indices).unwrap_or_else(|| {
                nests.push(written.nest(&product));
                known.push(indices);
                nests.len() - 1
            });
            let tap = nests[nest].tap();
            let mut queue = |output: (BlockId, Port)| network.tap(output.0.0, place(output));
            let crds = product.loops.iter().map(|own| queue(own.crd)).collect();
            taps.push(Tap::new((nest, tap), crds, queue(product.value)));
        }
        Self { taps, nests }
    }

    /// Takes what was put in this cycle. What iterations that end in it have written goes to DRAM.
    pub(super) fn observe(&mut self, network: &mut Network) {
        for tap in &mut self.taps {
            let (number, place) = tap.nest;
            let nest = &mut self.nests[number];
            tap.take(network, nest.tiles(), &mut |seen| match seen {
                TapEvent::Point(path) => nest.add(path),
                TapEvent::Round(tile) => nest.leave(place, Some(tile)),
                TapEvent::End => nest.leave(place, None),
            });
        }
        let cycle = network.cycle();
        let Some(memory) = &mut network.memory else { return };
        for nest in &mut self.nests {
            while let Some(bytes) = nest.written() {
                memory.write(cycle, bytes);
            }
        }
    }
}
