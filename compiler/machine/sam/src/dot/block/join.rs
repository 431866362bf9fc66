//! Joiners: their operands are those of the edges around them.

use std::collections::HashMap;

use comet_diag::Diagnostic;

use super::Edges;
use super::value::{text, width};
use crate::dot::network::{DotNode, Edge};
use crate::dot::port;
use crate::graph::{BlockKind, Join, JoinOperand, Merge, StreamKind};

/// The operands are those of the edges that enter, in their order. One that enters twice is two operands.
pub(super) fn join(node: &DotNode, how: Merge, edges: &Edges<'_>) -> Result<BlockKind, Diagnostic> {
    let width = node.attributes.get("bits").map(|_| width(node)).transpose()?;
    let coordinates = if width.is_some() { StreamKind::Bv } else { StreamKind::Crd };
    let mut carried = carried(edges, coordinates);
    let mut skips = skips(node, how, edges)?;
    let mut operands = Vec::new();
    for edge in edges.incoming.iter().filter(|edge| edge.kind == coordinates) {
        let (_, name) = port::split(&edge.comment);
        if name.is_empty() {
            return Err(nameless_operand(node, edge));
        }
        let carries = match carried.get_mut(name).and_then(Vec::pop) {
            Some(StreamKind::Val) => StreamKind::Val,
            _ => StreamKind::Ref,
        };
        let skips = skips.get_mut(name).is_some_and(take);
        operands.push(JoinOperand { name: name.to_owned(), carries, skips });
    }
    if operands.is_empty() {
        return Err(no_operands(node, coordinates, edges));
    }
    Ok(BlockKind::Join(Join { how, index: text(node, "index")?, operands, width }))
}

/// What comes with the coordinates of each name, the last first.
fn carried<'edges>(edges: &Edges<'edges>, coordinates: StreamKind) -> HashMap<&'edges str, Vec<StreamKind>> {
    let mut carried: HashMap<&str, Vec<StreamKind>> = HashMap::new();
    for edge in edges.incoming.iter().rev().filter(|edge| edge.kind != coordinates) {
        carried.entry(port::split(&edge.comment).1).or_default().push(edge.kind);
    }
    carried
}

/// Counts the operands of each name that skip. A union needs all that its operands have.
fn skips<'edges>(
    node: &DotNode,
    how: Merge,
    edges: &Edges<'edges>,
) -> Result<HashMap<&'edges str, usize>, Diagnostic> {
    let mut skips = HashMap::new();
    for edge in &edges.outgoing {
        let (role, name) = port::split(&edge.comment);
        if role != port::SKIP || edge.kind != StreamKind::Crd {
            continue;
        }
        if how == Merge::Union {
            let message = format!(
                "`{}` is a union, expected an intersecter where coordinates are skipped",
                node.id.value
            );
            return Err(Diagnostic::error(edge.span, message)
                .hint("a union needs all coordinates of its operands: leave the edge out"));
        }
        *skips.entry(name).or_insert(0) += 1;
    }
    Ok(skips)
}

fn take(left: &mut usize) -> bool {
    let is_left = *left > 0;
    *left -= usize::from(is_left);
    is_left
}

fn nameless_operand(node: &DotNode, edge: &Edge) -> Diagnostic {
    let message = format!("this edge does not say which operand of `{}` it is", node.id.value);
    Diagnostic::error(edge.span, message).hint("name the operand in the edge's comment: `comment=\"in-B\"`")
}

fn no_operands(node: &DotNode, coordinates: StreamKind, edges: &Edges<'_>) -> Diagnostic {
    let error = Diagnostic::error(node.id.span, format!("`{}` has no operands", node.id.value));
    if edges.incoming.iter().any(|edge| edge.kind == StreamKind::Bv) && coordinates == StreamKind::Crd {
        return error.hint("say how many bits words have that enter it: `bits=\"64\"`");
    }
    let what = if coordinates == StreamKind::Bv { "words of bits" } else { "coordinates" };
    let hint = format!(
        "{what} and references of each enter by edges with the comment `in-B`, with the tensor's name"
    );
    error.hint(hint)
}
