//! A graph as operations whose ports are numbered streams. A stream has one reader there: broadcasts stand
//! where it has several. A repeater has no signals, but takes the references, or values, that go with the
//! coordinates that it repeats over.

mod operation;
mod streams;

use super::message::{ComalGraph, Op, Operation, ProgramGraph};
use crate::graph::{BlockId, BlockKind, Foreign, Graph};
use streams::Streams;

const CHANNEL_SIZE: u64 = 1024;

/// The message of a graph.
///
/// # Errors
/// The first block that Comal does not have.
pub(super) fn message(graph: &Graph) -> Result<ComalGraph, Foreign> {
    let mut operations = Operations::default();
    let streams = Streams::new(graph);
    for (number, block) in graph.blocks.iter().enumerate() {
        if matches!(block.kind, BlockKind::RepeatSignal { .. }) {
            continue;
        }
        let id = BlockId(number);
        if let Some(root) = streams.root(id) {
            operations.push("root", root);
        }
        let (name, op) =
            operation::of(block, id, &streams).map_err(|what| Foreign::new("Comal has", block, what))?;
        operations.push(name, op);
    }
    streams.broadcasts().for_each(|broadcast| operations.push("broadcast", broadcast));
    let program = ProgramGraph { name: result_of(graph), operators: operations.0 };
    Ok(ComalGraph { name: result_of(graph), channel_size: CHANNEL_SIZE, graph: Some(program) })
}

fn result_of(graph: &Graph) -> String {
    graph.tensors.first().map(|tensor| tensor.name.clone()).unwrap_or_default()
}

#[derive(Default)]
struct Operations(Vec<Operation>);

impl Operations {
    fn push(&mut self, name: &str, op: Op) {
        let id = self.0.len() as u64 + 1;
        self.0.push(Operation { name: name.to_owned(), id, op: Some(op) });
    }
}
