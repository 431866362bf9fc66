//! Buses (sam.txt section 4.4): what moves several tokens a cycle, and who goes on with as many.

use crate::graph::{BlockId, BlockKind, Graph, GraphLevel, Scanner, StreamKind};
use std::collections::BTreeMap;

/// Widens the scanners of these variables, what takes words apart, and what computes with streams that are
/// wide. Streams come from blocks in front.
pub(super) fn widen(graph: &mut Graph, chosen: &BTreeMap<String, usize>) {
    for block in &mut graph.blocks {
        block.lanes = match &block.kind {
            // A word is moved at once as it is.
            BlockKind::Scanner(Scanner { level: GraphLevel::BitVector(_), .. }) => 1,
            BlockKind::Scanner(scanner) => chosen.get(&scanner.index).copied().unwrap_or(1),
            BlockKind::Join(join) => match join.width {
                Some(width) => chosen.get(&join.index).copied().unwrap_or(width as usize),
                None => 1,
            },
            _ => 1,
        };
    }
    loop {
        let before: Vec<usize> = graph.blocks.iter().map(|block| block.lanes).collect();
        for stream in &graph.streams {
            let source = &graph.blocks[stream.from.0.0];
            if !is_wide(&source.kind, stream.kind) {
                continue;
            }
            let lanes = source.lanes;
            for (BlockId(reader), _) in &stream.to {
                let reader = &mut graph.blocks[*reader];
                if goes_on(&reader.kind) {
                    reader.lanes = reader.lanes.max(lanes);
                }
            }
        }
        if graph.blocks.iter().map(|block| block.lanes).eq(before) {
            return;
        }
    }
}

/// Whether what comes out of a block is as wide as the block. Of words there is one a cycle, and of a fiber
/// one value.
fn is_wide(kind: &BlockKind, stream: StreamKind) -> bool {
    stream != StreamKind::Bv && !matches!(kind, BlockKind::Reduce(_))
}

/// Whether a block does with a token what it does with the next one, so that more units of it do so at once.
fn goes_on(kind: &BlockKind) -> bool {
    matches!(
        kind,
        BlockKind::RepeatSignal { .. }
            | BlockKind::Repeat(_)
            | BlockKind::Array { .. }
            | BlockKind::Locate(_)
            | BlockKind::Alu(_)
            | BlockKind::Apply(_)
            | BlockKind::Mask(_)
            | BlockKind::Reduce(_)
            | BlockKind::Drop { .. }
            | BlockKind::ToWords(_)
            | BlockKind::WriteLevel(_)
            | BlockKind::WriteValues(_)
    )
}
