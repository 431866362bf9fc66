//! Which streams have passed a dropper or a reducer, so that no fiber of theirs is empty.

use crate::graph::{BlockId, Graph, Kind, Port};

/// For each block, whether what comes in at its first input has passed a dropper or a reducer.
pub(super) fn cleaned(graph: &Graph) -> Vec<bool> {
    let mut cleaned = vec![false; graph.blocks.len()];
    for stream in &graph.streams {
        if cleans(graph, stream.from.0) {
            let first = stream.to.iter().filter(|(_, port)| *port == Port::FIRST);
            first.for_each(|(reader, _)| cleaned[reader.0] = true);
        }
    }
    cleaned
}

fn cleans(graph: &Graph, block: BlockId) -> bool {
    matches!(graph.blocks[block.0].kind, Kind::Drop { .. } | Kind::Accumulate(_))
}
