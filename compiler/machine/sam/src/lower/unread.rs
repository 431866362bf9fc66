//! Parallelizers that nobody reads.
//!
//! *Before*: the coordinates of a variable with copies are dealt out to all of them, since it is not known
//! yet what a copy reads; those of a sum's own variable are needed by no copy that only loads and multiplies.
//!
//! *After*: each parallelizer has a reader.

use crate::graph::{BlockId, BlockKind, Graph};
use std::collections::BTreeSet;

/// Removes parallelizers none of whose outputs leads to a block, and renumbers the others.
pub(super) fn leave_out_unread(graph: &mut Graph) {
    let is_read: BTreeSet<BlockId> = graph.streams.iter().map(|stream| stream.from.0).collect();
    graph.retain_blocks(|number, block| {
        is_read.contains(&BlockId(number)) || !matches!(block.kind, BlockKind::Parallelize(_))
    });
    graph.renumber();
}
