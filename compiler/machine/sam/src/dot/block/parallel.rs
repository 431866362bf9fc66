//! What section 4 of sam.txt adds: words of bits, several streams for one, and tiles. Custard makes none of
//! them.

use comet_diag::Diagnostic;

use super::Edges;
use super::value::{choice, count, number, text, width};
use crate::dot::network::DotNode;
use crate::graph::{BlockKind, Carried, Fetch, Parallelize, Serialize, StreamKind, ToWords};

/// References come with the coordinates where they enter.
pub(super) fn to_words(node: &DotNode, edges: &Edges<'_>) -> Result<BlockKind, Diagnostic> {
    let refs = edges.incoming.iter().any(|edge| edge.kind == StreamKind::Ref);
    Ok(BlockKind::ToWords(ToWords { index: text(node, "index")?, width: width(node)?, refs }))
}

pub(super) fn parallelize(node: &DotNode) -> Result<BlockKind, Diagnostic> {
    Ok(BlockKind::Parallelize(Parallelize {
        index: text(node, "index")?,
        factor: count(node, "factor")?,
        carries: choice(node, "carries")?,
    }))
}

/// One that carries nothing besides puts the coordinates themselves in order.
pub(super) fn serialize(node: &DotNode) -> Result<BlockKind, Diagnostic> {
    let carries = node.attributes.get("carries").map(|_| carried(node)).transpose()?;
    Ok(BlockKind::Serialize(Serialize {
        index: text(node, "index")?,
        factor: count(node, "factor")?,
        carries,
    }))
}

fn carried(node: &DotNode) -> Result<Carried, Diagnostic> {
    let kind = choice(node, "carries")?;
    let depth = node.attributes.get("depth").map_or(Ok(0), |_| number(node, "depth"))?;
    Ok(Carried { kind, depth })
}

pub(super) fn fetch(node: &DotNode) -> Result<BlockKind, Diagnostic> {
    Ok(BlockKind::Fetch(Fetch { tensor: text(node, "tensor")?, mode: number(node, "mode")? }))
}
