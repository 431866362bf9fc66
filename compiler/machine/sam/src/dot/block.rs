//! Nodes to blocks: each type has its attributes.

mod join;
mod kind;
mod parallel;
mod value;

pub(crate) use value::{dropped, number, width};

use comet_diag::Diagnostic;

use super::broadcast::Link;
use super::label;
use super::network::{DotNode, Edge, Network};
use crate::graph::{BlockId, BlockKind, Dropped, EmptyFiber, GraphBlock, StreamKind};

pub(crate) struct DotBlocks {
    pub(crate) blocks: Vec<GraphBlock>,
    pub(crate) nodes: Vec<usize>,
    ids: Vec<Option<BlockId>>,
}

impl DotBlocks {
    pub(crate) fn kind(&self, id: BlockId) -> &BlockKind {
        &self.blocks[id.0].kind
    }

    pub(crate) fn id(&self, node: usize) -> BlockId {
        self.ids[node].expect("links connect blocks")
    }

    pub(crate) fn iter<'all>(
        &'all self,
        network: &'all Network,
    ) -> impl Iterator<Item = (&'all BlockKind, &'all DotNode)> {
        self.blocks.iter().zip(&self.nodes).map(|(block, &node)| (&block.kind, &network.nodes[node]))
    }
}

/// The edges around a node, in the order of the text. Behind a broadcast they are those that name its ports.
#[derive(Clone, Default)]
struct Edges<'network> {
    incoming: Vec<&'network Edge>,
    outgoing: Vec<&'network Edge>,
}

fn around<'network>(network: &'network Network, links: &[Link]) -> Vec<Edges<'network>> {
    let mut around = vec![Edges::default(); network.nodes.len()];
    let mut is_known = vec![false; network.edges.len()];
    for link in links {
        around[network.edges[link.last].to].incoming.push(&network.edges[link.named_last]);
        // A stream of several readers leaves once.
        if !std::mem::replace(&mut is_known[link.first], true) {
            around[network.edges[link.first].from].outgoing.push(&network.edges[link.named_first]);
        }
    }
    around
}

pub(crate) fn blocks(network: &Network, links: &[Link]) -> Result<DotBlocks, Diagnostic> {
    let around = around(network, links);
    let mut made = DotBlocks { blocks: Vec::new(), nodes: Vec::new(), ids: vec![None; network.nodes.len()] };
    for (index, node) in network.nodes.iter().enumerate().filter(|(_, node)| !node.is_broadcast()) {
        let kind = kind::kind(node, &around[index])?;
        let name = format!("{} ({})", label::title(&kind), node.id.value);
        made.ids[index] = Some(BlockId(made.blocks.len()));
        made.blocks.push(GraphBlock { name, kind, lanes: value::count_or(node, "lanes", 1)? });
        made.nodes.push(index);
    }
    leave_dropped_out(&mut made, network, links);
    Ok(made)
}

/// A reducer makes no value of fibers whose coordinates have been dropped in front of it.
fn leave_dropped_out(made: &mut DotBlocks, network: &Network, links: &[Link]) {
    for link in links {
        let (from, to) = (network.edges[link.first].from, network.edges[link.last].to);
        let drops =
            |kind: &BlockKind| matches!(kind, BlockKind::Drop { what: Dropped::EmptyFibersOfValues, .. });
        let says = network.nodes[to].attributes.get("empty").is_some();
        if network.edges[link.first].kind == StreamKind::Val && drops(made.kind(made.id(from))) && !says {
            let reader = made.id(to);
            if let BlockKind::Reduce(reduce) = &mut made.blocks[reader.0].kind {
                reduce.empty = EmptyFiber::Removed;
            }
        }
    }
}
