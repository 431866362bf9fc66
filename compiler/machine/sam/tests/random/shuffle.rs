//! Graphs whose blocks come in another order.

use super::super::draw::Draw;
use comet_sam::graph::{BlockId, Graph, GraphBlock, Stream};
use comet_sam::lower::Lowered;

/// The same graphs; blocks keep their names, and streams their order.
pub(crate) fn shuffled(lowered: &Lowered, draw: &mut Draw) -> Lowered {
    let graphs = lowered.graphs.iter().map(|graph| with_order(graph, &order(graph, draw))).collect();
    Lowered { graphs, universes: lowered.universes.clone() }
}

/// Which block comes where.
fn order(graph: &Graph, draw: &mut Draw) -> Vec<usize> {
    let numbers: Vec<usize> = (0..graph.blocks.len()).collect();
    draw.shuffled(&numbers)
}

fn with_order(graph: &Graph, order: &[usize]) -> Graph {
    let mut places = vec![0; order.len()];
    for (place, block) in order.iter().enumerate() {
        places[*block] = place;
    }
    let moved = |BlockId(block): BlockId| BlockId(places[block]);
    let stream = |stream: &Stream| Stream {
        kind: stream.kind,
        from: (moved(stream.from.0), stream.from.1),
        to: stream.to.iter().map(|(block, port)| (moved(*block), *port)).collect(),
    };
    let blocks: Vec<GraphBlock> = order.iter().map(|block| graph.blocks[*block].clone()).collect();
    Graph { tensors: graph.tensors.clone(), blocks, streams: graph.streams.iter().map(stream).collect() }
}
