//! Which numbered stream is at which port.

use crate::comal::message::{Branches, Branching, Bundle, Generator, Op, Stream};
use crate::dot::label::title;
use crate::graph::{BlockId, BlockKind, Graph, Port, StreamKind};
use std::collections::{BTreeMap, HashMap};

pub(super) type End = (BlockId, Port);

pub(super) struct Streams<'g> {
    graph: &'g Graph,
    sources: HashMap<End, End>,
    outputs: HashMap<End, u64>,
    inputs: HashMap<End, u64>,
    /// What is copied: what moves, the stream and the copies.
    copied: Vec<(StreamKind, u64, Vec<u64>)>,
}

impl<'g> Streams<'g> {
    pub(super) fn new(graph: &'g Graph) -> Self {
        let sources = graph.streams.iter().flat_map(|stream| stream.to.iter().map(|&to| (to, stream.from)));
        let mut streams = Self {
            graph,
            sources: sources.collect(),
            outputs: HashMap::new(),
            inputs: HashMap::new(),
            copied: Vec::new(),
        };
        streams.number();
        streams
    }

    /// Numbers streams from 1 on, in the order of the outputs that they come from.
    fn number(&mut self) {
        let mut readers: BTreeMap<End, Vec<End>> = BTreeMap::new();
        for (number, block) in self.graph.blocks.iter().enumerate() {
            let inputs = 0..self.inputs_of(&block.kind);
            for to in inputs.map(|port| (BlockId(number), Port(port))) {
                if let Some(from) = self.read_by(to) {
                    readers.entry(from).or_default().push(to);
                }
            }
        }
        let mut numbers = 1..;
        let mut next = || numbers.next().expect("there is always a next number");
        for (from, readers) in readers {
            let trunk = next();
            self.outputs.insert(from, trunk);
            if let [reader] = readers[..] {
                self.inputs.insert(reader, trunk);
                continue;
            }
            let copies: Vec<u64> = readers.iter().map(|_| next()).collect();
            self.inputs.extend(readers.into_iter().zip(copies.iter().copied()));
            self.copied.push((self.kind(from), trunk, copies));
        }
        for (number, block) in self.graph.blocks.iter().enumerate() {
            if let Some(port) = root_port(&block.kind)
                && !self.sources.contains_key(&(BlockId(number), port))
            {
                self.inputs.insert((BlockId(number), port), next());
            }
        }
    }

    /// How many inputs a block has in a file. What signals read is read by repeaters instead, what stands
    /// around an accumulator's coordinates is read besides.
    fn inputs_of(&self, kind: &BlockKind) -> usize {
        match kind {
            BlockKind::RepeatSignal { .. } => 0,
            BlockKind::Accumulate(_) | BlockKind::Locate(_) => kind.inputs().len() + 1,
            _ => kind.inputs().len(),
        }
    }

    /// The output that an input of a file reads.
    fn read_by(&self, to: End) -> Option<End> {
        match (&self.graph.blocks[to.0.0].kind, to.1) {
            (BlockKind::Repeat(_), Port::SECOND) => self.partner(self.signalled(to)?),
            (BlockKind::Locate(_), Self::ALONG) => self.partner(*self.sources.get(&(to.0, Port::FIRST))?),
            (BlockKind::Accumulate(accumulate), port) if port == Self::reduced(accumulate.indices.len()) => {
                let outermost = Port(accumulate.indices.len() - 1);
                self.around(*self.sources.get(&(to.0, outermost))?)
            }
            _ => self.sources.get(&to).copied(),
        }
    }

    /// The references that a locator lets through.
    pub(super) const ALONG: Port = Port(2);

    /// The coordinates of what an accumulator reduces over, behind its coordinates and its values.
    pub(super) const fn reduced(indices: usize) -> Port {
        Port(indices + 1)
    }

    fn signalled(&self, signal: End) -> Option<End> {
        let (signals, _) = *self.sources.get(&signal)?;
        self.sources.get(&(signals, Port::FIRST)).copied()
    }

    /// The references, or else the values, that go with coordinates, a token for each.
    fn partner(&self, (block, port): End) -> Option<End> {
        let carried = match &self.graph.blocks[block.0].kind {
            BlockKind::Scanner(_) | BlockKind::Locate(_) if port == Port::FIRST => Port::SECOND,
            BlockKind::Join(join) if port == Port::FIRST => {
                let refs = join.operands.iter().position(|operand| operand.carries == StreamKind::Ref);
                Port::joined_ref(refs.unwrap_or(0))
            }
            _ => return None,
        };
        Some((block, carried))
    }

    fn around(&self, (block, port): End) -> Option<End> {
        match &self.graph.blocks[block.0].kind {
            BlockKind::Scanner(_) => self.coordinates(*self.sources.get(&(block, Port::FIRST))?),
            BlockKind::Join(_) => self.around(*self.sources.get(&(block, Port::FIRST))?),
            BlockKind::Drop { .. } if port == Port::SECOND => Some((block, Port::FIRST)),
            BlockKind::Drop { .. } => self.around(*self.sources.get(&(block, Port::FIRST))?),
            BlockKind::Accumulate(accumulate) if port.0 + 1 < accumulate.indices.len() => {
                Some((block, Port(port.0 + 1)))
            }
            BlockKind::Accumulate(_) => self.around(self.around(*self.sources.get(&(block, port))?)?),
            _ => None,
        }
    }

    fn coordinates(&self, (block, _): End) -> Option<End> {
        match &self.graph.blocks[block.0].kind {
            BlockKind::Scanner(_) | BlockKind::Join(_) | BlockKind::Locate(_) => Some((block, Port::FIRST)),
            BlockKind::Repeat(_) => self.signalled((block, Port::SECOND)),
            _ => None,
        }
    }

    fn kind(&self, (block, port): End) -> StreamKind {
        self.graph.blocks[block.0].kind.outputs()[port.0]
    }

    /// What is at an input; nothing where nothing enters.
    pub(super) fn input(&self, block: BlockId, port: Port) -> Option<Stream> {
        self.inputs.get(&(block, port)).copied().map(Stream::new)
    }

    /// Whether an input reads values, where it may read references as well.
    pub(super) fn reads_values(&self, block: BlockId, port: Port) -> bool {
        self.read_by((block, port)).is_some_and(|from| self.kind(from) == StreamKind::Val)
    }

    /// What is at an output. The stream 0 is one that nobody reads.
    pub(super) fn output(&self, block: BlockId, port: Port) -> Option<Stream> {
        Some(Stream::new(self.outputs.get(&(block, port)).copied().unwrap_or(0)))
    }

    /// The root of a tensor, which a block begins with into which no references lead.
    pub(super) fn root(&self, block: BlockId) -> Option<Op> {
        let kind = &self.graph.blocks[block.0].kind;
        let port = root_port(kind).filter(|port| !self.sources.contains_key(&(block, *port)))?;
        let tensor = match kind {
            BlockKind::Scanner(scanner) => &scanner.tensor,
            BlockKind::Repeat(repeat) => &repeat.tensor,
            BlockKind::Array { tensor, .. } => tensor,
            _ => return None,
        };
        let (label, output_ref) = (title(kind), self.input(block, port));
        Some(Op::Root(Generator { label: format!("root of {label}"), tensor: tensor.clone(), output_ref }))
    }

    pub(super) fn broadcasts(&self) -> impl Iterator<Item = Op> {
        self.copied.iter().map(|(kind, trunk, copies)| {
            let branches = copies.iter().copied().map(Stream::new).collect();
            let bundle = Bundle { trunk: Some(Stream::new(*trunk)), branches };
            let conn = match kind {
                StreamKind::Crd | StreamKind::Bv => Branches::Crd(bundle),
                StreamKind::Ref => Branches::Ref(bundle),
                StreamKind::Val => Branches::Val(bundle),
                StreamKind::Repsig => Branches::RepSig(bundle),
            };
            Op::Broadcast(Branching { label: "broadcast".to_owned(), conn: Some(conn) })
        })
    }
}

/// The input that a root is built into, where nothing enters it.
fn root_port(kind: &BlockKind) -> Option<Port> {
    let is_root = match kind {
        BlockKind::Scanner(scanner) => scanner.root,
        BlockKind::Repeat(repeat) => repeat.root,
        BlockKind::Array { root, .. } => *root,
        _ => false,
    };
    is_root.then_some(Port::FIRST)
}
