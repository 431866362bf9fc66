//! Where the products of a graph come out, before anything is reduced.

use super::super::memory::Untiled;
use crate::graph::sources::{Loop, Sources};
use crate::graph::{BlockId, BlockKind, Graph, Merge, Port, StreamKind};
use std::collections::HashMap;

/// The values of a product, or of a sum of some that are in the same loops.
pub(super) struct TappedProduct<'g> {
    pub(super) value: (BlockId, Port),
    /// The loops around its values, the outermost first.
    pub(super) loops: Vec<Loop<'g>>,
    pub(super) tiles: usize,
}

/// All products: what enters reducers and writers, and what meets the values of a reducer in a sum.
pub(super) fn of<'g>(graph: &'g Graph, untiled: &Untiled) -> Vec<TappedProduct<'g>> {
    let sources = Sources::new(graph);
    let (reduced, found) = (HashMap::new(), Vec::new());
    let mut finder = Finder { graph, sources: &sources, untiled, reduced, found };
    for block in (0..graph.blocks.len()).map(BlockId) {
        finder.look(block);
    }
    let over_tiles = over_tiles(graph, &sources);
    let product = |value: (BlockId, Port)| {
        let loops = sources.loops(value);
        let tiles = loops.iter().take_while(|own| over_tiles.contains(&own.index)).count();
        TappedProduct { value, loops, tiles }
    };
    finder.found.into_iter().map(product).collect()
}

/// The variables of the loops over tiles: those around what is fetched.
fn over_tiles<'g>(graph: &'g Graph, sources: &Sources<'g>) -> Vec<&'g str> {
    let fetches =
        graph.blocks.iter().enumerate().filter(|(_, block)| matches!(block.kind, BlockKind::Fetch(_)));
    let around = fetches.flat_map(|(block, _)| sources.loops((BlockId(block), Port::FIRST)));
    around.map(|own| own.index).collect()
}

struct Finder<'g, 's> {
    graph: &'g Graph,
    sources: &'s Sources<'g>,
    untiled: &'s Untiled,
    /// Whether the values of a block have gone through a reducer, in this graph or another.
    reduced: HashMap<BlockId, bool>,
    found: Vec<(BlockId, Port)>,
}

impl<'g> Finder<'g, '_> {
    fn kind(&self, block: BlockId) -> &'g BlockKind {
        &self.graph.blocks[block.0].kind
    }

    /// What enters a block that is a product as it enters.
    fn look(&mut self, block: BlockId) {
        let values = self.values(block);
        let are_products = match self.kind(block) {
            BlockKind::Reduce(_) | BlockKind::Accumulate(_) | BlockKind::WriteValues(_) => true,
            BlockKind::Alu(alu) => {
                alu.how == Merge::Union && values.iter().any(|(from, _)| self.is_reduced(*from))
            }
            _ => false,
        };
        for value in values {
            if are_products && !self.is_reduced(value.0) {
                self.add(value);
            }
        }
    }

    fn values(&self, block: BlockId) -> Vec<(BlockId, Port)> {
        let inputs = self.kind(block).inputs().into_iter().enumerate();
        let values = inputs.filter(|(_, kind)| *kind == StreamKind::Val);
        values.filter_map(|(port, _)| self.sources.source((block, Port(port)))).collect()
    }

    /// Streams of values close no cycle.
    fn is_reduced(&mut self, block: BlockId) -> bool {
        if let Some(known) = self.reduced.get(&block) {
            return *known;
        }
        let is_reduced = match self.kind(block) {
            BlockKind::Reduce(_) | BlockKind::Accumulate(_) => true,
            BlockKind::Array { tensor, .. } => self.untiled.sums.contains(tensor),
            _ => self.values(block).into_iter().any(|(from, _)| self.is_reduced(from)),
        };
        self.reduced.insert(block, is_reduced);
        is_reduced
    }

    /// The values as they were computed: with an empty token where there is no product, of each copy.
    fn add(&mut self, value: (BlockId, Port)) {
        match self.kind(value.0) {
            BlockKind::Drop { .. } | BlockKind::Serialize(_) => {
                self.values(value.0).into_iter().for_each(|before| self.add(before));
            }
            _ if !self.found.contains(&value) => self.found.push(value),
            _ => {}
        }
    }
}
