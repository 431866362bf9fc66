//! Where what enters a block was made: back along the streams, through blocks that pass on what they take.

mod loops;

use super::{BlockId, BlockKind, Graph, Port, Serialize};
use std::collections::HashMap;

pub(crate) use loops::Loop;

pub struct Sources<'g> {
    graph: &'g Graph,
    outputs: HashMap<(BlockId, Port), (BlockId, Port)>,
}

impl<'g> Sources<'g> {
    pub fn new(graph: &'g Graph) -> Self {
        let streams = graph.streams.iter();
        let outputs = streams.flat_map(|stream| stream.to.iter().map(|&to| (to, stream.from))).collect();
        Self { graph, outputs }
    }

    /// Where what enters an input comes from; none where no stream enters.
    pub fn source(&self, input: (BlockId, Port)) -> Option<(BlockId, Port)> {
        self.outputs.get(&input).copied()
    }

    /// The block that has made what enters an input, be it of a root that is built in. Nothing where no
    /// stream enters, and where streams go around in a circle: there are as many blocks in between as there
    /// are blocks at most.
    pub fn made_by(&self, mut input: (BlockId, Port)) -> Option<BlockId> {
        let (mut block, mut output) = *self.outputs.get(&input)?;
        for _ in 0..=self.graph.blocks.len() {
            let Some(passed) = passed_on(&self.graph.blocks[block.0].kind, output) else {
                return Some(block);
            };
            input = (block, passed);
            let Some(&before) = self.outputs.get(&input) else { return Some(block) };
            (block, output) = before;
        }
        None
    }
}

/// The input whose references, values or words come out of an output. Of those that a serializer has, it is
/// the first one.
fn passed_on(kind: &BlockKind, output: Port) -> Option<Port> {
    match kind {
        BlockKind::Repeat(_) | BlockKind::Fetch(_) | BlockKind::Mask(_) | BlockKind::Parallelize(_) => {
            Some(Port::FIRST)
        }
        BlockKind::Serialize(Serialize { carries: Some(_), .. }) => Some(Port::SECOND),
        BlockKind::Drop { .. } => Some(output),
        BlockKind::ToWords(_) if output == Port::SECOND => Some(Port::SECOND),
        BlockKind::Join(join) => {
            let operand = output.0.checked_sub(1).filter(|operand| *operand < join.operands.len());
            operand.map(Port::operand_ref)
        }
        _ => None,
    }
}
