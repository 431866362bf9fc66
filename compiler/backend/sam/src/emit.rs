//! Graphs as operations of sam.

mod blocks;
mod order;
mod tensors;

use comet_ir::{Builder, IrError, Op, Result, Val};
use comet_sam::graph::{BlockId, Graph, Port};
use std::collections::{BTreeMap, HashMap};
use tensors::TensorDeclarations;

/// What the tensors of a graph are around it, by their names: tensors, numbers, and the extents of
/// universes.
pub type Sources<'c> = BTreeMap<String, Val<'c>>;

/// Writes a graph as a `sam.graph`. The names of blocks are left out, their order is kept where streams allow
/// it.
///
/// # Errors
/// The graph is not well wired, or a tensor of it has no source. Streams of wrong depths are left to the
/// verifier.
pub fn emit<'c>(b: Builder<'c>, graph: &Graph, sources: &Sources<'c>) -> Result<'c, Op<'c>> {
    graph.check_wiring().map_err(|error| IrError::at(b.location(), error.to_string()))?;
    let order = order::in_order(graph).map_err(|message| IrError::at(b.location(), message))?;
    let op = b.op_with_regions("sam.graph", &[], &[], &[], vec![b.region(&[])])?;
    let b = b.inside(op.body(0));
    let tensors = TensorDeclarations::declare(b, graph, sources)?;
    let mut writer = GraphEmitter { b, graph, readers: readers(graph), streams: HashMap::new(), tensors };
    order.into_iter().try_for_each(|block| writer.block(block))?;
    Ok(op)
}

/// The output that each input reads.
fn readers(graph: &Graph) -> HashMap<(BlockId, Port), (BlockId, Port)> {
    let of_stream = graph.streams.iter().map(|stream| stream.to.iter().map(|to| (*to, stream.from)));
    of_stream.flatten().collect()
}

/// A graph while it is written.
struct GraphEmitter<'a, 'c> {
    /// At the end of the graph's block.
    b: Builder<'c>,
    graph: &'a Graph,
    readers: HashMap<(BlockId, Port), (BlockId, Port)>,
    /// What comes out of the blocks so far.
    streams: HashMap<(BlockId, Port), Val<'c>>,
    tensors: TensorDeclarations<'a, 'c>,
}
