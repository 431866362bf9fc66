//! Broadcasts dissolve: what remains are links from blocks to blocks.
//!
//! A stream of a [`crate::graph::Graph`] has any number of readers, so that nodes which only copy, and chains
//! and trees of them, need not be there.

use comet_diag::Diagnostic;

use super::network::{Edge, Network};

/// The way of a stream from a block to one reader.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// The edge with the comment that is nearest to the block, and nearest to the reader; where there is
    /// none, one without.
    pub(crate) named_first: usize,
    pub(crate) named_last: usize,
}

/// The links, in the order of the edges that enter the readers, which is the order of operands.
pub(crate) fn dissolve(network: &Network) -> Result<Vec<Link>, Diagnostic> {
    let outputs = outputs(network)?;
    let mut is_reached = vec![false; network.nodes.len()];
    let mut links = Vec::new();
    let mut open: Vec<Link> = (0..network.edges.len())
        .filter(|&edge| !network.nodes[network.edges[edge].from].is_broadcast())
        .map(|edge| Link { first: edge, last: edge, named_first: edge, named_last: edge })
        .collect();
    while let Some(link) = open.pop() {
        let node = network.edges[link.last].to;
        if !network.nodes[node].is_broadcast() {
            links.push(link);
            continue;
        }
        is_reached[node] = true;
        for &edge in &outputs[node] {
            open.push(extend(link, edge, network)?);
        }
    }
    all_are_reached(network, &is_reached)?;
    links.sort_by_key(|link| link.last);
    Ok(links)
}

/// The edges that leave each broadcast. Each has one edge that enters it.
fn outputs(network: &Network) -> Result<Vec<Vec<usize>>, Diagnostic> {
    let mut outputs = vec![Vec::new(); network.nodes.len()];
    let mut inputs: Vec<Option<&Edge>> = vec![None; network.nodes.len()];
    for (index, edge) in network.edges.iter().enumerate() {
        if network.nodes[edge.from].is_broadcast() {
            outputs[edge.from].push(index);
        }
        if !network.nodes[edge.to].is_broadcast() {
            continue;
        }
        if let Some(other) = inputs[edge.to].replace(edge) {
            let id = &network.nodes[edge.to].id.value;
            return Err(Diagnostic::error(
                edge.span,
                format!("two streams enter the broadcast `{id}`, expected one"),
            )
            .also(other.span, "the other one")
            .hint("give each stream a broadcast of its own"));
        }
    }
    Ok(outputs)
}

fn extend(link: Link, edge: usize, network: &Network) -> Result<Link, Diagnostic> {
    let (before, next) = (&network.edges[link.last], &network.edges[edge]);
    if before.kind != next.kind {
        let message =
            format!("a {} stream leaves a broadcast that copies {}", next.kind.name(), before.kind.name());
        return Err(Diagnostic::error(next.span, message)
            .also(before.span, "what enters it")
            .hint("give both edges one type"));
    }
    let is_named = |edge: usize| !network.edges[edge].comment.is_empty();
    let named_first = if is_named(link.named_first) { link.named_first } else { edge };
    let named_last = if is_named(edge) { edge } else { link.named_last };
    Ok(Link { last: edge, named_first, named_last, ..link })
}

/// Broadcasts that no block feeds are fed by nothing or by one another.
fn all_are_reached(network: &Network, is_reached: &[bool]) -> Result<(), Diagnostic> {
    let lost = network.nodes.iter().zip(is_reached).find(|(node, reached)| node.is_broadcast() && !**reached);
    lost.map_or(Ok(()), |(node, _)| {
        let message = format!("no block's stream enters the broadcast `{}`", node.id.value);
        Err(Diagnostic::error(node.id.span, message)
            .hint("connect it to an output of a block, or leave it out"))
    })
}
