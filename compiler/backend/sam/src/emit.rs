//! Graphs as operations of sam.

mod blocks;
mod order;
mod tensors;

use comet_ir::sam::Graph as GraphOp;
use comet_ir::{Builder, IrError, Result, Val};
use comet_sam::graph::{BlockId, Graph, Port, Sources};
use std::collections::{BTreeMap, HashMap};
use tensors::TensorDeclarations;

/// What the tensors of a graph are around it, by their names: tensors, numbers, and the extents of
/// universes.
pub type TensorValues<'c> = BTreeMap<String, Val<'c>>;

/// Writes a graph as a `sam.graph`. The names of blocks are left out, their order is kept where streams allow
/// it.
///
/// # Errors
/// The graph is not well wired, or a tensor of it has no value. Streams of wrong depths are left to the
/// verifier.
pub fn emit<'c>(b: Builder<'c>, graph: &Graph, values: &TensorValues<'c>) -> Result<'c, GraphOp<'c>> {
    graph.check_wiring().map_err(|error| IrError::at(b.location(), error.to_string()))?;
    let order = order::in_order(graph).map_err(|message| IrError::at(b.location(), message))?;
    let op = GraphOp::build(b)?;
    let b = b.inside(op.body());
    let tensors = TensorDeclarations::declare(b, graph, values)?;
    let sources = Sources::new(graph);
    let mut emitter = GraphEmitter { b, graph, sources: &sources, streams: HashMap::new(), tensors };
    order.into_iter().try_for_each(|block| emitter.block(block))?;
    Ok(op)
}

struct GraphEmitter<'a, 'c> {
    /// At the end of the graph's block.
    b: Builder<'c>,
    graph: &'a Graph,
    sources: &'a Sources<'a>,
    streams: HashMap<(BlockId, Port), Val<'c>>,
    tensors: TensorDeclarations<'a, 'c>,
}
