//! A graph to DOT, line by line as SAM's own tools expect it: the comment with the formats first, then the
//! nodes, then the edges. Broadcasts appear where a stream has several readers.

mod edge;
mod node;
mod size;

use crate::graph::{BlockId, BlockKind, Element, Graph, Port};
use crate::named::Named as _;
use edge::{PortNames, Route};
use std::collections::BTreeSet;

/// Returns the text of a graph: the same for the same graph. What [`read`](super::read) makes of it is the
/// graph again, up to the names of blocks and of operands that share one.
pub fn write(graph: &Graph) -> String {
    let formats: Vec<String> = graph.tensors.iter().map(ToString::to_string).collect();
    let (routes, broadcasts) = routes(graph);
    let mut lines =
        vec!["digraph SAM {".to_owned(), format!("    comment=\"{}\"", quoted(&formats.join(",")))];
    lines.extend(elements(graph));
    lines.extend(nodes(graph));
    lines.extend(broadcasts.iter().map(|id| node::broadcast(*id)));
    lines.extend(edges(graph, &routes));
    lines.push("}\n".to_owned());
    lines.join("\n")
}

/// The types of elements that are not f64. SAM's own tools know none.
fn elements(graph: &Graph) -> Option<String> {
    let mut named = BTreeSet::new();
    let mut others = Vec::new();
    for tensor in graph.tensors.iter().filter(|tensor| tensor.element != Element::F64) {
        if named.insert(&tensor.name) {
            others.push(format!("{}={}", tensor.name, tensor.element.case_name()));
        }
    }
    (!others.is_empty()).then(|| format!("    elements=\"{}\"", quoted(&others.join(","))))
}

fn quoted(text: &str) -> String {
    text.replace('"', "\\\"")
}

/// The identifiers of blocks: 0 for the writer of the values, the others count from 1 on.
fn ids(graph: &Graph) -> Vec<usize> {
    let is_values = |kind: &BlockKind| matches!(kind, BlockKind::WriteValues(_));
    let values = graph.blocks.iter().position(|block| is_values(&block.kind));
    let mut next = 1..;
    let id =
        |block| if Some(block) == values { 0 } else { next.next().expect("there is always a next number") };
    (0..graph.blocks.len()).map(id).collect()
}

fn nodes(graph: &Graph) -> Vec<String> {
    let sizes = size::ArraySizes::new(graph);
    let ids = ids(graph);
    graph.blocks.iter().zip(ids).map(|(block, id)| node::block(id, block, &sizes)).collect()
}

/// For each stream how it goes, and the identifiers of the broadcasts.
fn routes(graph: &Graph) -> (Vec<Route>, Vec<usize>) {
    let names = PortNames::new(graph);
    let next = ids(graph).into_iter().max().unwrap_or_default() + 1;
    let mut broadcasts = Vec::new();
    let mut routes = Vec::new();
    for stream in &graph.streams {
        let broadcast = names.need_broadcast(stream).then_some(next + broadcasts.len());
        broadcasts.extend(broadcast);
        routes.push(names.route(stream, broadcast));
    }
    (routes, broadcasts)
}

/// Edges stand in the order of the readers' inputs, which is what distinguishes the operands of an ALU. One
/// that enters a broadcast stands in front of the first that leaves it.
fn edges(graph: &Graph, routes: &[Route]) -> Vec<String> {
    let ids = ids(graph);
    let mut readers: Vec<((BlockId, Port), usize, usize)> = Vec::new();
    for (number, stream) in graph.streams.iter().enumerate() {
        readers.extend(stream.to.iter().enumerate().map(|(reader, &to)| (to, number, reader)));
    }
    readers.sort_unstable();
    let mut is_begun = vec![false; graph.streams.len()];
    let mut lines = Vec::new();
    for (to, number, reader) in readers {
        let (stream, route) = (&graph.streams[number], &routes[number]);
        let source = ids[stream.from.0.0];
        let from = route.broadcast.unwrap_or(source);
        if let (Some(broadcast), false) = (route.broadcast, is_begun[number]) {
            lines.push(edge::line(source, broadcast, stream.kind, route.trunk.as_deref()));
        }
        is_begun[number] = true;
        lines.push(edge::line(from, ids[to.0.0], stream.kind, route.readers[reader].as_deref()));
    }
    lines
}
