//! Blocks in the order in which streams lead through them.

use super::{BlockId, Graph, Port};
use comet_notation::distinct;

impl Graph {
    /// Returns the blocks in the order of the streams whose readers count; see [`topological`].
    pub(crate) fn in_order(&self, counts: impl Fn((BlockId, Port)) -> bool) -> Vec<usize> {
        let edges = self.streams.iter().flat_map(|stream| {
            stream.to.iter().filter(|to| counts(**to)).map(|(reader, _)| (stream.from.0.0, reader.0))
        });
        topological(self.blocks.len(), edges)
    }

    /// Returns the blocks in the order in which one reads a graph: from its roots to its writers. Skip
    /// streams are left out; where streams lead in a circle all the same, the rest follows as it comes.
    pub(crate) fn reading_order(&self) -> Vec<usize> {
        let order = self.in_order(|to| !self.is_skip_input(to));
        distinct(order.into_iter().chain(0..self.blocks.len()))
    }

    /// Returns the streams in the order of the blocks that they come from.
    pub(crate) fn streams_by(&self, blocks: &[usize]) -> Vec<usize> {
        let mut streams: Vec<usize> = (0..self.streams.len()).collect();
        streams.sort_by_key(|stream| {
            let (BlockId(block), port) = self.streams[*stream].from;
            (blocks.iter().position(|other| *other == block), port)
        });
        streams
    }
}

/// Returns blocks, each behind those that lead to it, of so many blocks and the edges between them. Those in
/// a circle, and those behind one, are left out.
pub(crate) fn topological(blocks: usize, edges: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut missing = vec![0_usize; blocks];
    let mut readers = vec![Vec::new(); blocks];
    for (from, to) in edges {
        missing[to] += 1;
        readers[from].push(to);
    }
    let mut order: Vec<usize> = (0..blocks).filter(|&block| missing[block] == 0).collect();
    let mut next = 0;
    while let Some(&block) = order.get(next) {
        for &reader in &readers[block] {
            missing[reader] -= 1;
            if missing[reader] == 0 {
                order.push(reader);
            }
        }
        next += 1;
    }
    order
}
