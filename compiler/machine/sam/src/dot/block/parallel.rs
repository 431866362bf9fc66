//! What section 4 of sam.txt adds: words of bits, several streams for one, and tiles. Custard makes none of
//! them.

use comet_diag::Diagnostic;

use super::Edges;
use super::value::{CARRIED, choice, count, number, text, width};
use crate::dot::network::Node;
use crate::graph::{Carried, Fetch, Kind, Parallelize, Serialize, StreamKind, ToWords};

/// References come with the coordinates where they enter.
pub(super) fn to_words(node: &Node, edges: &Edges<'_>) -> Result<Kind, Diagnostic> {
    let refs = edges.incoming.iter().any(|edge| edge.kind == StreamKind::Ref);
    Ok(Kind::ToWords(ToWords { index: text(node, "index")?, width: width(node)?, refs }))
}

pub(super) fn parallelize(node: &Node) -> Result<Kind, Diagnostic> {
    Ok(Kind::Parallelize(Parallelize {
        index: text(node, "index")?,
        factor: count(node, "factor")?,
        carries: choice(node, "carries", &CARRIED)?,
    }))
}

/// One that carries nothing besides puts the coordinates themselves in order.
pub(super) fn serialize(node: &Node) -> Result<Kind, Diagnostic> {
    let carries = node.attributes.get("carries").map(|_| carried(node)).transpose()?;
    Ok(Kind::Serialize(Serialize { index: text(node, "index")?, factor: count(node, "factor")?, carries }))
}

fn carried(node: &Node) -> Result<Carried, Diagnostic> {
    let kind = choice(node, "carries", &CARRIED)?;
    let depth = node.attributes.get("depth").map_or(Ok(0), |_| number(node, "depth"))?;
    Ok(Carried { kind, depth })
}

pub(super) fn fetch(node: &Node) -> Result<Kind, Diagnostic> {
    Ok(Kind::Fetch(Fetch { tensor: text(node, "tensor")?, mode: number(node, "mode")? }))
}
