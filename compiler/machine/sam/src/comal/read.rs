//! Operations to a graph. Each operation declares blocks, what comes out of them and what they want to read
//! (`declare`); then the streams are followed (`connect`), copies are put together again (`branches`), and
//! the levels of tensors are found along their references (`tensors`).

mod alu;
mod branches;
mod connect;
mod declare;
mod tensors;

use super::ComalError;
use super::message::ComalGraph;
use crate::graph::{BlockId, BlockKind, Graph, GraphBlock, Port, StreamKind};
use std::collections::HashMap;

type End = (BlockId, Port);

/// A stream of a file: the identifiers of each kind are counted apart.
type Key = (StreamKind, u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ComalSource {
    Root,
    Output(End),
    Copy(Key),
}

#[derive(Default)]
struct ComalReader {
    kinds: Vec<BlockKind>,
    /// For each block the number of its operation, which messages name.
    operations: Vec<usize>,
    produced: HashMap<Key, ComalSource>,
    wanted: Vec<(End, Key)>,
    repeated: Vec<(BlockId, Key)>,
    /// The joins, which merge what was dealt out.
    merged: Vec<branches::BranchMerge>,
    /// For each input that is connected the output that it reads.
    sources: HashMap<End, End>,
}

pub(super) fn graph(message: ComalGraph) -> Result<Graph, ComalError> {
    let mut reader = ComalReader::default();
    let operators = message.graph.map(|graph| graph.operators).unwrap_or_default();
    for (number, operation) in operators.into_iter().enumerate() {
        reader.declare(number + 1, operation)?;
    }
    if reader.kinds.is_empty() {
        let hint = "expected operations that look up, compute and write; is the file empty?";
        return Err(ComalError::new("this graph of Comal has no operations", hint));
    }
    reader.connect()?;
    reader.check_circles()?;
    reader.merge_branches()?;
    reader.signal()?;
    reader.find_located()?;
    let mut graph = reader.finish();
    graph.tensors = tensors::of(&mut graph)?;
    graph.check_wiring().map_err(|error| ComalError::new(error.message, error.hint))?;
    Ok(graph)
}

impl ComalReader {
    fn block(&mut self, operation: usize, kind: BlockKind) -> BlockId {
        self.kinds.push(kind);
        self.operations.push(operation);
        BlockId(self.kinds.len() - 1)
    }

    fn name(&self, block: BlockId) -> String {
        format!("operation {} (`{}`)", self.operations[block.0], self.kinds[block.0].type_name())
    }

    fn finish(self) -> Graph {
        let mut streams: Vec<crate::graph::Stream> = Vec::new();
        let mut places = HashMap::new();
        let mut sources: Vec<(End, End)> = self.sources.into_iter().collect();
        sources.sort_unstable();
        for (to, from) in sources {
            let place = *places.entry(from).or_insert(streams.len());
            if place == streams.len() {
                let kind = self.kinds[from.0.0].outputs()[from.1.0];
                streams.push(crate::graph::Stream { kind, from, to: Vec::new() });
            }
            streams[place].to.push(to);
        }
        let blocks = self.kinds.into_iter().enumerate();
        let blocks = blocks.map(|(number, kind)| GraphBlock::numbered(kind, number)).collect();
        Graph { tensors: Vec::new(), blocks, streams }
    }
}
