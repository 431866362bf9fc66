//! Links to streams: each edge finds the ports that its type and its comment mean.

use std::collections::HashMap;

use comet_diag::{Diagnostic, Span};

use super::block::DotBlocks;
use super::broadcast::Link;
use super::meant::PortTable;
use super::network::{Edge, Network};
use super::port::{self, PortName};
use crate::graph::{BlockId, BlockKind, Port, Stream, StreamKind};

pub(crate) struct Wires {
    pub(crate) streams: Vec<Stream>,
    pub(crate) entered: HashMap<(BlockId, Port), Span>,
}

pub(crate) fn wires(network: &Network, blocks: &DotBlocks, links: &[Link]) -> Result<Wires, Diagnostic> {
    let names = |ports: fn(&BlockKind) -> Vec<PortName>| {
        blocks.blocks.iter().map(|block| ports(&block.kind)).collect()
    };
    let (inputs, outputs) = (PortTable::new(names(port::inputs)), PortTable::new(names(port::outputs)));
    let mut wiring =
        Wiring { network, blocks, sources: HashMap::new(), entered: HashMap::new(), inputs, outputs };
    wiring.sources(links)?;
    let streams = wiring.readers(links)?;
    wiring.inputs_are_there()?;
    Ok(Wires { streams, entered: wiring.entered })
}

struct Wiring<'all> {
    network: &'all Network,
    blocks: &'all DotBlocks,
    sources: HashMap<usize, (BlockId, Port)>,
    entered: HashMap<(BlockId, Port), Span>,
    inputs: PortTable<'all>,
    outputs: PortTable<'all>,
}

impl Wiring<'_> {
    /// Outputs are found in the order of the edges that leave, so that of two operands with one name the
    /// first edge means the first.
    fn sources(&mut self, links: &[Link]) -> Result<(), Diagnostic> {
        let mut links: Vec<&Link> = links.iter().collect();
        links.sort_by_key(|link| (link.first, link.last));
        for link in links {
            let edge = &self.network.edges[link.first];
            let block = self.blocks.id(edge.from);
            let named = &self.network.edges[link.named_first];
            let found = self.outputs.candidates(block, named);
            let Some(&likeliest) = found.first() else {
                return Err(self.no_port(self.outputs.names(block), named, block, PortSide::Output));
            };
            if let Some((_, known)) = self.sources.get(&link.first) {
                if !found.contains(known) {
                    return Err(self.two_outputs(link, edge));
                }
                continue;
            }
            let port = self.outputs.take(block, named).unwrap_or(likeliest);
            self.sources.insert(link.first, (block, port));
        }
        Ok(())
    }

    /// Operands take their inputs in the order of the edges that enter.
    fn readers(&mut self, links: &[Link]) -> Result<Vec<Stream>, Diagnostic> {
        let mut streams: Vec<Stream> = Vec::new();
        let mut numbers = HashMap::new();
        for link in links {
            let Some(to) = self.input(link)? else { continue };
            let (from, kind) = match self.signals(link) {
                Some(from) => (from, StreamKind::Crd),
                None => (self.sources[&link.first], self.network.edges[link.first].kind),
            };
            let number = *numbers.entry(from).or_insert(streams.len());
            if number == streams.len() {
                streams.push(Stream { kind, from, to: Vec::new() });
            }
            streams[number].to.push(to);
        }
        Ok(streams)
    }

    /// The coordinates of a scanner whose references make signals for a repeater, as users draw it: a signal
    /// only says that there is a token.
    fn signals(&self, link: &Link) -> Option<(BlockId, Port)> {
        let edge = &self.network.edges[link.last];
        let (from, _) = self.sources[&link.first];
        let is_signal = edge.kind == StreamKind::Ref
            && matches!(self.blocks.kind(self.blocks.id(edge.to)), BlockKind::RepeatSignal { .. })
            && matches!(self.blocks.kind(from), BlockKind::Scanner(_));
        is_signal.then_some((from, Port::FIRST))
    }

    /// The input that a link enters; none for what an accumulator has no use for.
    fn input(&mut self, link: &Link) -> Result<Option<(BlockId, Port)>, Diagnostic> {
        let edge = &self.network.edges[link.last];
        let block = self.blocks.id(edge.to);
        let kind = self.blocks.kind(block);
        if is_summed_over(kind, &self.network.edges[link.named_last]) {
            return Ok(None);
        }
        let signal = self.signals(link).is_some();
        if matches!(kind, BlockKind::RepeatSignal { .. }) && self.entered.contains_key(&(block, Port::FIRST))
        {
            return Err(self.two_edges(edge, block, Port::FIRST));
        }
        if signal {
            self.entered.insert((block, Port::FIRST), edge.span);
            return Ok(Some((block, Port::FIRST)));
        }
        let named = &self.network.edges[link.named_last];
        let Some(&likeliest) = self.inputs.candidates(block, named).first() else {
            return Err(self.no_port(self.inputs.names(block), named, block, PortSide::Input));
        };
        let Some(port) = self.inputs.take(block, named) else {
            return Err(self.two_edges(edge, block, likeliest));
        };
        if kind.is_optional(port) {
            return Err(self.enters_root(edge, block));
        }
        self.entered.insert((block, port), edge.span);
        Ok(Some((block, port)))
    }

    fn inputs_are_there(&self) -> Result<(), Diagnostic> {
        for (number, block) in self.blocks.blocks.iter().enumerate() {
            let missing = self.inputs.names(BlockId(number)).iter().find(|input| {
                !block.kind.is_optional(input.port)
                    && !self.inputs.is_taken(BlockId(number), input.port)
                    && !self.entered.contains_key(&(BlockId(number), input.port))
            });
            if let Some(input) = missing {
                let id = &self.network.nodes[self.blocks.nodes[number]].id;
                let message = format!("no {} enters `{}`", phrase(input), block.name);
                return Err(
                    Diagnostic::error(id.span, message).hint(format!("add {}", example(input, &id.value)))
                );
            }
        }
        Ok(())
    }

    fn name(&self, block: BlockId) -> &str {
        &self.blocks.blocks[block.0].name
    }

    fn no_port(&self, ports: &[PortName], edge: &Edge, block: BlockId, side: PortSide) -> Diagnostic {
        let (name, kind) = (self.name(block), edge.kind.name());
        let of_kind: Vec<String> = ports.iter().filter(|port| port.kind == edge.kind).map(phrase).collect();
        let verb = side.verb();
        if of_kind.is_empty() {
            let all: Vec<String> = ports.iter().map(phrase).collect();
            let all = if all.is_empty() { "nothing".to_owned() } else { all.join(", ") };
            return Diagnostic::error(edge.span, format!("no {kind} stream {verb} `{name}`"))
                .label(format!("`{name}` {} {all}", side.has()))
                .hint("correct the edge's `type`, or connect it to another block");
        }
        let found = match edge.comment.as_str() {
            "" => "this edge has no comment that says".to_owned(),
            comment => format!("the comment `{}` does not say", comment.escape_debug()),
        };
        Diagnostic::error(edge.span, format!("{found} which {kind} stream {verb} `{name}`"))
            .label(format!("expected {}", of_kind.join(" or ")))
            .hint("name the port in the edge's `comment`")
    }

    fn two_edges(&self, edge: &Edge, block: BlockId, port: Port) -> Diagnostic {
        let ports = self.inputs.names(block);
        let message =
            format!("two edges enter `{}` as its {}, expected one", self.name(block), phrase(&ports[port.0]));
        let error = Diagnostic::error(edge.span, message);
        let error = match self.entered.get(&(block, port)) {
            Some(other) => error.also(*other, "the other one"),
            None => error,
        };
        error.hint("leave one of them out, or name another port in its comment")
    }

    fn two_outputs(&self, link: &Link, edge: &Edge) -> Diagnostic {
        let message = "the readers of this broadcast name different outputs";
        Diagnostic::error(edge.span, message)
            .also(self.network.edges[link.named_first].span, "not the output of the others")
            .hint("name the output in the comment of the edge that enters the broadcast")
    }

    fn enters_root(&self, edge: &Edge, block: BlockId) -> Diagnostic {
        let message = format!("a stream enters `{}`, which has the root built in", self.name(block));
        Diagnostic::error(edge.span, message).hint("leave the edge out, or write `root=\"false\"`")
    }
}

#[derive(Clone, Copy)]
enum PortSide {
    Input,
    Output,
}

impl PortSide {
    fn verb(self) -> &'static str {
        match self {
            Self::Input => "enters",
            Self::Output => "leaves",
        }
    }

    fn has(self) -> &'static str {
        match self {
            Self::Input => "takes",
            Self::Output => "gives",
        }
    }
}

/// Custard also wires the coordinates of the variables that are summed over to accumulators, which only need
/// to know where points are to be added up.
fn is_summed_over(kind: &BlockKind, edge: &Edge) -> bool {
    let BlockKind::Accumulate(accumulate) = kind else { return false };
    let (_, name) = port::split(&edge.comment);
    let is_named = |index: &String| index == name || port::words(&edge.comment).any(|word| word == index);
    edge.kind == StreamKind::Crd && !name.is_empty() && !accumulate.indices.iter().any(is_named)
}

/// `crd stream `in-B``, or `val stream` where there is no name.
fn phrase(port: &PortName) -> String {
    let kind = port.kind.name();
    if port.name.is_empty() {
        format!("{kind} stream")
    } else {
        format!("{kind} stream `{}`", port.comment())
    }
}

fn example(port: &PortName, id: &str) -> String {
    let kind = port.kind.name();
    if port.name.is_empty() {
        return format!("an edge `… -> {id} [type=\"{kind}\"]`");
    }
    format!("an edge `… -> {id} [type=\"{kind}\" comment=\"{}\"]`", port.comment())
}
