//! A graph while it is made.

use super::statement::IndexStatement;
use crate::graph::{
    BlockId, BlockKind, Element, Graph, GraphBlock, GraphLevel, Port, Scanner, Stream, StreamKind,
    TensorFormat,
};
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Out {
    pub(super) block: BlockId,
    pub(super) port: Port,
    pub(super) kind: StreamKind,
}

#[derive(Debug, Default)]
pub(super) struct Build {
    graph: Graph,
    streams: HashMap<Out, usize>,
    signals: HashMap<Out, Out>,
    held: HashMap<(Out, Out), Out>,
    universes: Vec<String>,
}

impl Build {
    /// Adds a block that reads these streams, input by input; `None` where a root is built in. The result
    /// are its outputs.
    pub(super) fn block(&mut self, kind: BlockKind, inputs: &[Option<Out>]) -> Vec<Out> {
        let block = BlockId(self.graph.blocks.len());
        let outputs = kind.outputs();
        self.graph.blocks.push(GraphBlock::numbered(kind, block.0));
        for (port, input) in inputs.iter().enumerate() {
            if let Some(from) = input {
                self.connect(*from, (block, Port(port)));
            }
        }
        outputs.into_iter().enumerate().map(|(port, kind)| Out { block, port: Port(port), kind }).collect()
    }

    pub(super) fn value(&mut self, kind: BlockKind, inputs: &[Out]) -> Out {
        let inputs: Vec<Option<Out>> = inputs.iter().copied().map(Some).collect();
        self.block(kind, &inputs)[0]
    }

    fn connect(&mut self, from: Out, to: (BlockId, Port)) {
        let streams = &mut self.graph.streams;
        let number = *self.streams.entry(from).or_insert_with(|| {
            streams.push(Stream { kind: from.kind, from: (from.block, from.port), to: Vec::new() });
            streams.len() - 1
        });
        streams[number].to.push(to);
    }

    /// How many bits the words of a scanner have, where an output has words.
    pub(super) fn width(&self, out: Out) -> Option<u32> {
        match &self.graph.blocks[out.block.0].kind {
            BlockKind::Scanner(Scanner { level: GraphLevel::BitVector(width), .. }) => Some(*width),
            _ => None,
        }
    }

    pub(super) fn can_skip(&self, crd: Out) -> bool {
        matches!(&self.graph.blocks[crd.block.0].kind, BlockKind::Scanner(_)) && crd.kind == StreamKind::Crd
    }

    pub(super) fn skip(&mut self, crd: Out, next: Out) {
        if let BlockKind::Scanner(scanner) = &mut self.graph.blocks[crd.block.0].kind {
            scanner.skips = true;
            self.connect(next, (crd.block, Port::SKIP));
        }
    }

    /// The repeat signals of coordinates; they are made once.
    pub(super) fn signals(&mut self, index: &str, crd: Out) -> Out {
        if let Some(signals) = self.signals.get(&crd) {
            return *signals;
        }
        let signals = self.value(BlockKind::RepeatSignal { index: index.to_owned() }, &[crd]);
        self.signals.insert(crd, signals);
        signals
    }

    /// Outer coordinates, once for each inner one; they are held once.
    pub(super) fn hold(&mut self, outer: (&str, Out), inner: (&str, Out)) -> Out {
        if let Some(held) = self.held.get(&(outer.1, inner.1)) {
            return *held;
        }
        let kind = BlockKind::Hold { outer: outer.0.to_owned(), inner: inner.0.to_owned() };
        let held = self.block(kind, &[Some(outer.1), Some(inner.1)])[0];
        self.held.insert((outer.1, inner.1), held);
        held
    }

    pub(super) fn use_universe(&mut self, tensor: &str) {
        if !self.universes.iter().any(|other| other == tensor) {
            self.universes.push(tensor.to_owned());
        }
    }

    /// The graph. Its tensors are the result, the operands in the order of their use, and what stands for all
    /// coordinates.
    pub(super) fn finish(mut self, statement: &IndexStatement, result: TensorFormat) -> Graph {
        let uses =
            statement.value.accesses().into_iter().map(|access| statement.tensors[access.tensor].clone());
        let universe = |name| {
            let (levels, order) = (vec![GraphLevel::Dense], vec![0]);
            TensorFormat { name, levels, order, element: Element::F64 }
        };
        let universes = std::mem::take(&mut self.universes).into_iter().map(universe);
        self.graph.tensors = std::iter::once(result).chain(uses).chain(universes).collect();
        self.graph
    }
}
