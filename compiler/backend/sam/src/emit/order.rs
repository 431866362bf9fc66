//! An order of the blocks in which streams lead from earlier to later ones. Those that tell scanners what to
//! go on with go back, and are left out.

use comet_sam::graph::{BlockId, BlockKind, Graph, Port};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// All blocks, each behind those whose streams it reads; otherwise as they come.
///
/// # Errors
/// Streams go round in a circle.
pub(super) fn in_order(graph: &Graph) -> Result<Vec<BlockId>, String> {
    let mut waiting = vec![0_usize; graph.blocks.len()];
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); graph.blocks.len()];
    for stream in &graph.streams {
        let forth = stream.to.iter().filter(|to| !tells_scanner(graph, **to));
        for (to, _) in forth {
            waiting[to.0] += 1;
            readers[stream.from.0.0].push(to.0);
        }
    }
    let begins = (0..waiting.len()).filter(|&block| waiting[block] == 0).map(Reverse);
    let mut ready: BinaryHeap<Reverse<usize>> = begins.collect();
    let mut order = Vec::new();
    while let Some(Reverse(block)) = ready.pop() {
        order.push(BlockId(block));
        for &reader in &readers[block] {
            waiting[reader] -= 1;
            if waiting[reader] == 0 {
                ready.push(Reverse(reader));
            }
        }
    }
    match waiting.iter().position(|&count| count > 0) {
        Some(block) => Err(format!("streams go round in a circle through `{}`", graph.blocks[block].name)),
        None => Ok(order),
    }
}

fn tells_scanner(graph: &Graph, (block, port): (BlockId, Port)) -> bool {
    port == Port::SKIP && matches!(graph.blocks[block.0].kind, BlockKind::Scanner(_))
}
