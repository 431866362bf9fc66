//! The files of graphs: DOT, with the attributes that SAM's own tools read and write.
//!
//! Reading goes from the text (`parser`) to nodes and edges (`network`), dissolves broadcasts, makes a block
//! of each other node, checks them against the tensors, and wires their ports. Nothing here panics on any
//! text.

mod attributes;
mod block;
mod broadcast;
mod check;
mod format;
pub(crate) mod label;
mod lexer;
mod meant;
mod network;
mod parser;
mod port;
mod syntax;
mod token;
mod wire;
mod write;

/// What LALRPOP generates, which is not held to the house style.
#[allow(clippy::all, clippy::pedantic, clippy::unwrap_used, unreachable_pub, unused)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/dot/grammar.rs"));
}

pub use write::write;

use crate::graph::{Graph, WiringError};
use comet_diag::{Diagnostic, Span};

/// The graph of a text.
///
/// # Errors
/// The first thing that is wrong, with its place in the text.
pub fn read(text: &str) -> Result<Graph, Diagnostic> {
    let network = network::build(parser::parse(text)?)?;
    let tensors = format::tensors(&network)?;
    let links = broadcast::dissolve(&network)?;
    let blocks = block::blocks(&network, &links)?;
    check::check(&network, &blocks, &tensors)?;
    let wires = wire::wires(&network, &blocks, &links)?;
    let nodes = blocks.nodes;
    let graph = Graph { tensors, blocks: blocks.blocks, streams: wires.streams };
    graph.check_wiring().map_err(|error| {
        let node = network.nodes[nodes[error.block.0]].id.span;
        let edge = error.input.and_then(|input| wires.entered.get(&(error.block, input)).copied());
        wiring(node, edge, error)
    })?;
    Ok(graph)
}

/// Reports what only shows in the whole graph at the node of the block that has seen it, or at the edge by
/// which it enters.
fn wiring(node: Span, edge: Option<Span>, error: WiringError) -> Diagnostic {
    let diagnostic = Diagnostic::error(edge.unwrap_or(node), error.message);
    let diagnostic = if edge.is_some() { diagnostic.also(node, "the block") } else { diagnostic };
    diagnostic.hint(error.hint)
}
