//! Edges, and the comments that name their ports as Custard does.

use comet_notation::free_name;
use std::collections::HashSet;

use super::quoted;
use crate::dot::port::{self, PortName};
use crate::graph::{BlockId, BlockKind, Graph, Port, Stream, StreamKind};

pub(super) struct Route {
    pub(super) broadcast: Option<usize>,
    pub(super) trunk: Option<String>,
    pub(super) readers: Vec<Option<String>>,
}

pub(super) fn line(from: usize, to: usize, kind: StreamKind, comment: Option<&str>) -> String {
    let name = kind.name();
    let label = match comment {
        None | Some("") => name.to_owned(),
        Some(comment) => format!("{name}_{}", quoted(comment)),
    };
    let style = match kind {
        StreamKind::Crd => " style=dashed",
        StreamKind::Ref => " style=bold",
        StreamKind::Repsig => " style=dotted",
        StreamKind::Val | StreamKind::Bv => "",
    };
    // What goes back does not pull its block down in a drawing.
    let is_skip = comment.is_some_and(|comment| port::split(comment).0 == port::SKIP);
    let back = if is_skip { " constraint=false" } else { "" };
    let comment = comment.map_or(String::new(), |comment| format!(" comment=\"{}\"", quoted(comment)));
    format!("    {from} -> {to} [label=\"{label}\"{style}{back} type=\"{name}\"{comment}]")
}

pub(super) struct PortNames<'graph> {
    graph: &'graph Graph,
    inputs: Vec<Vec<PortName>>,
    outputs: Vec<Vec<PortName>>,
}

impl<'graph> PortNames<'graph> {
    pub(super) fn new(graph: &'graph Graph) -> Self {
        let kinds: Vec<BlockKind> = graph.blocks.iter().map(|block| distinct(&block.kind)).collect();
        let inputs = kinds.iter().map(port::inputs).collect();
        let outputs = kinds.iter().map(port::outputs).collect();
        Self { graph, inputs, outputs }
    }

    /// Several readers need a broadcast, and so do two ports of which each has a name of its own: an edge has
    /// one comment.
    pub(super) fn need_broadcast(&self, stream: &Stream) -> bool {
        let from = self.output(stream);
        let differs = |&to| {
            let to = self.input(to);
            !from.name.is_empty() && !to.name.is_empty() && from.name != to.name
        };
        stream.to.len() > 1 || stream.to.iter().any(differs)
    }

    pub(super) fn route(&self, stream: &Stream, broadcast: Option<usize>) -> Route {
        let readers = stream.to.iter();
        if broadcast.is_none() {
            let readers = readers.map(|&to| self.direct(stream, to)).collect();
            return Route { broadcast, trunk: None, readers };
        }
        let named = stream.to.iter().find(|to| self.is_named(**to));
        let readers = readers.map(|&to| self.branch(to, named)).collect();
        Route { broadcast, trunk: self.trunk(stream, named), readers }
    }

    fn output(&self, stream: &Stream) -> &PortName {
        let (block, port) = stream.from;
        &self.outputs[block.0][port.0]
    }

    fn input(&self, (block, port): (BlockId, Port)) -> &PortName {
        &self.inputs[block.0][port.0]
    }

    fn kind(&self, block: BlockId) -> &'graph BlockKind {
        &self.graph.blocks[block.0].kind
    }

    fn is_named(&self, to: (BlockId, Port)) -> bool {
        !self.input(to).name.is_empty() && !matches!(self.kind(to.0), BlockKind::Join(_))
    }

    /// An edge from block to block is in the words of the source, unless it enters a joiner.
    fn direct(&self, stream: &Stream, to: (BlockId, Port)) -> Option<String> {
        let (from, input) = (self.output(stream), self.input(to));
        match (self.kind(stream.from.0), self.kind(to.0)) {
            (_, BlockKind::Join(_)) => Some(input.comment()),
            _ if !from.name.is_empty() => Some(from.comment()),
            (BlockKind::Join(_), BlockKind::Drop { .. }) => Some(format!("in-{}", input.name)),
            (BlockKind::Scanner(_), _) if input.name.is_empty() => Some(String::new()),
            _ => self.by_index(to),
        }
    }

    fn trunk(&self, stream: &Stream, named: Option<&(BlockId, Port)>) -> Option<String> {
        let from = self.output(stream);
        match self.kind(stream.from.0) {
            _ if !from.name.is_empty() => Some(from.comment()),
            BlockKind::Scanner(_) => Some(String::new()),
            BlockKind::Join(_) => named.and_then(|to| self.by_index(*to)),
            _ => None,
        }
    }

    /// An edge that leaves a broadcast, of which some may go by index variables.
    fn branch(&self, to: (BlockId, Port), named: Option<&(BlockId, Port)>) -> Option<String> {
        match self.kind(to.0) {
            BlockKind::Join(_) => Some(self.input(to).comment()),
            _ if self.is_named(to) => self.by_index(to),
            _ => named.map(|_| String::new()),
        }
    }

    /// The index variable of an input; of values with what they are to the block.
    fn by_index(&self, to: (BlockId, Port)) -> Option<String> {
        let input = self.input(to);
        match input.kind {
            _ if input.name.is_empty() => None,
            StreamKind::Val => Some(input.comment()),
            _ => Some(input.name.clone()),
        }
    }
}

/// A joiner whose operands have names of their own: of those that share one all but the first are counted.
fn distinct(kind: &BlockKind) -> BlockKind {
    let mut kind = kind.clone();
    let BlockKind::Join(join) = &mut kind else { return kind };
    let mut taken: HashSet<String> = HashSet::new();
    for operand in &mut join.operands {
        operand.name = free_name(&operand.name, |name| taken.contains(name));
        taken.insert(operand.name.clone());
    }
    kind
}
