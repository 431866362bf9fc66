//! Parallelizers that nobody reads.
//!
//! *Before*: the coordinates of a variable with copies are dealt out to all of them, since it is not known
//! yet what a copy reads; those of a sum's own variable are needed by no copy that only loads and multiplies.
//!
//! *After*: each parallelizer has a reader.

use crate::graph::{Block, BlockId, Graph, Kind, Stream};

/// Leaves out parallelizers none of whose outputs leads to a block. The blocks that are left are numbered
/// anew.
pub(super) fn leave_out_unread(graph: &mut Graph) {
    let mut is_read = vec![false; graph.blocks.len()];
    graph.streams.iter().for_each(|stream| is_read[stream.from.0.0] = true);
    let is_left =
        |number: usize, block: &Block| is_read[number] || !matches!(block.kind, Kind::Parallelize(_));
    let mut places = vec![None; graph.blocks.len()];
    let mut left = Vec::new();
    for (number, block) in std::mem::take(&mut graph.blocks).into_iter().enumerate() {
        if is_left(number, &block) {
            places[number] = Some(BlockId(left.len()));
            left.push(Block::numbered(block.kind, left.len()));
        }
    }
    graph.blocks = left;
    for Stream { from, to, .. } in &mut graph.streams {
        to.retain(|(reader, _)| places[reader.0].is_some());
        for (block, _) in to.iter_mut().chain([from]) {
            *block = places[block.0].expect("what reads or is read is left");
        }
    }
    graph.streams.retain(|stream| !stream.to.is_empty());
}
