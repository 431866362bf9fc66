//! The order in which one reads a graph: from its roots to its writers.

use crate::graph::order::topological;
use crate::graph::{BlockId, Graph};

/// The blocks, each behind those that it reads from. Skip streams are left out; where
/// streams lead in a circle all the same, the rest follows as it comes.
pub(super) fn blocks(graph: &Graph) -> Vec<usize> {
    let count = graph.blocks.len();
    let edges = graph.streams.iter().flat_map(|stream| {
        let to = stream.to.iter().filter(|to| !graph.is_skip_input(**to));
        to.map(|(reader, _)| (stream.from.0.0, reader.0))
    });
    let mut order = topological(count, edges);
    let mut is_there = vec![false; count];
    order.iter().for_each(|&block| is_there[block] = true);
    order.extend((0..count).filter(|&block| !is_there[block]));
    order
}

pub(super) fn streams(graph: &Graph, blocks: &[usize]) -> Vec<usize> {
    let mut streams: Vec<usize> = (0..graph.streams.len()).collect();
    let place = |stream: &usize| {
        let (BlockId(block), port) = graph.streams[*stream].from;
        (blocks.iter().position(|other| *other == block), port)
    };
    streams.sort_by_key(place);
    streams
}
