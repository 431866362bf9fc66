//! The order in which one reads a graph: from its roots to its writers.

use crate::graph::{BlockId, Graph, Kind, Port};

/// The blocks, each behind those that it reads from. What tells a scanner where to go on is left out; where
/// streams lead in a circle all the same, the rest follows as it comes.
pub(super) fn blocks(graph: &Graph) -> Vec<usize> {
    let mut missing = vec![0; graph.blocks.len()];
    let mut readers = vec![Vec::new(); graph.blocks.len()];
    for stream in &graph.streams {
        for &(reader, _) in stream.to.iter().filter(|to| !goes_back(graph, **to)) {
            missing[reader.0] += 1;
            readers[stream.from.0.0].push(reader.0);
        }
    }
    let mut order: Vec<usize> = (0..missing.len()).filter(|&block| missing[block] == 0).collect();
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
    order.extend((0..missing.len()).filter(|&block| missing[block] > 0));
    order
}

/// The streams, in the order of the blocks that they come from.
pub(super) fn streams(graph: &Graph, blocks: &[usize]) -> Vec<usize> {
    let mut streams: Vec<usize> = (0..graph.streams.len()).collect();
    let place = |stream: &usize| {
        let (BlockId(block), port) = graph.streams[*stream].from;
        (blocks.iter().position(|other| *other == block), port)
    };
    streams.sort_by_key(place);
    streams
}

fn goes_back(graph: &Graph, (reader, port): (BlockId, Port)) -> bool {
    port == Port::SKIP && matches!(graph.blocks[reader.0].kind, Kind::Scanner(_))
}
