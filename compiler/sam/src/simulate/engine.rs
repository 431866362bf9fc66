//! The cycles.

use super::Options;
use super::block::{self, Behaviour, Step, Written};
use super::deadlock::{self, Wait};
use super::fault::Fault;
use super::network::{Io, Network};
use super::outcome::{BlockReport, Outcome, StreamReport, result, result_dims};
use crate::graph::{Graph, Kind, Port};
use crate::storage::Storage;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

/// A block and its place in the network.
struct Runner<'a> {
    behaviour: Box<dyn Behaviour + 'a>,
    inputs: Vec<usize>,
    outputs: Vec<usize>,
    /// Cycles in which it took or put a token.
    busy: u64,
    has_ended: bool,
}

/// A graph while it runs.
pub(super) struct Engine<'a> {
    graph: &'a Graph,
    tensors: &'a BTreeMap<String, Storage>,
    runners: Vec<Runner<'a>>,
    network: Network,
    /// The writers that have not stored all.
    writers: usize,
}

impl<'a> Engine<'a> {
    pub(super) fn new(
        graph: &'a Graph,
        tensors: &'a BTreeMap<String, Storage>,
        options: Options,
    ) -> Result<Self, Fault> {
        let depth = options.queue_depth.map_or(usize::MAX, NonZeroUsize::get);
        let mut network = Network::new(graph.blocks.len(), depth);
        let mut runners = Vec::new();
        check_elements(graph, tensors)?;
        let dims = result_dims(graph, tensors);
        for block in &graph.blocks {
            let outputs = block.kind.outputs().iter().map(|_| network.add_output()).collect();
            let behaviour = block::start(block, tensors, &dims)?;
            runners.push(Runner { behaviour, inputs: Vec::new(), outputs, busy: 0, has_ended: false });
        }
        connect(graph, &mut network, &mut runners);
        let is_writer = |kind: &Kind| matches!(kind, Kind::WriteLevel(_) | Kind::WriteValues(_));
        let writers = graph.blocks.iter().filter(|block| is_writer(&block.kind)).count();
        Ok(Self { graph, tensors, runners, network, writers })
    }

    pub(super) fn run(mut self) -> Result<Outcome, Fault> {
        let mut ready = Vec::new();
        while self.writers > 0 {
            ready = self.network.begin_cycle(ready);
            if ready.is_empty() {
                return Err(self.stuck());
            }
            for &block in &ready {
                self.step(block)?;
            }
        }
        self.outcome()
    }

    fn step(&mut self, number: usize) -> Result<(), Fault> {
        let runner = &mut self.runners[number];
        if runner.has_ended || runner.outputs.iter().any(|&output| self.network.is_blocked(output)) {
            return Ok(());
        }
        let mut io = Io { network: &mut self.network, inputs: &runner.inputs, outputs: &runner.outputs };
        let step =
            runner.behaviour.step(&mut io).map_err(|fault| at(fault, &self.graph.blocks[number].name))?;
        match step {
            Step::Waits => return Ok(()),
            Step::Moved => self.network.wake(number),
            Step::Ends => {
                runner.has_ended = true;
                self.writers -= usize::from(runner.outputs.is_empty());
            }
        }
        runner.busy += 1;
        Ok(())
    }

    /// Every block waits, and not all is written.
    fn stuck(&self) -> Fault {
        let waits: Vec<Option<Wait>> = (0..self.runners.len()).map(|block| self.wait(block)).collect();
        let names: Vec<&str> = self.graph.blocks.iter().map(|block| block.name.as_str()).collect();
        deadlock::explain(&names, &waits, self.network.cycle())
    }

    /// What a block waits for; nothing if it has ended.
    fn wait(&self, block: usize) -> Option<Wait> {
        let runner = &self.runners[block];
        if runner.has_ended {
            return None;
        }
        let mut full = runner.outputs.iter().flat_map(|&output| self.network.full_readers(output));
        if let Some(reader) = full.next() {
            return Some(Wait::Room(reader));
        }
        let missing = runner.inputs.iter().find(|&&queue| self.network.front(queue).is_none());
        missing.map(|&queue| Wait::Token(self.network.queues[queue].writer))
    }

    fn outcome(mut self) -> Result<Outcome, Fault> {
        let written: Vec<Written> =
            self.runners.iter_mut().filter_map(|runner| runner.behaviour.written()).collect();
        Ok(Outcome {
            cycles: self.network.cycle(),
            result: result(self.graph, self.tensors, written)?,
            streams: self.graph.streams.iter().map(|stream| self.stream_report(stream)).collect(),
            blocks: self.graph.blocks.iter().zip(&self.runners).map(block_report).collect(),
        })
    }

    fn stream_report(&self, stream: &crate::graph::Stream) -> StreamReport {
        let (block, port) = stream.from;
        let counts = self.network.outputs[self.runners[block.0].outputs[port.0]].counts;
        let source = &self.graph.blocks[block.0];
        let is_only = source.kind.outputs().iter().filter(|kind| **kind == stream.kind).count() == 1;
        let number = if is_only { String::new() } else { port.0.to_string() };
        let name = format!("{}.{}{number}", source.name, stream.kind.name());
        StreamReport { name, kind: stream.kind, counts, idle: self.network.cycle() - counts.total() }
    }
}

/// Operands must have the type that the graph computes with.
fn check_elements(graph: &Graph, tensors: &BTreeMap<String, Storage>) -> Result<(), Fault> {
    for format in graph.tensors.iter().skip(1) {
        let Some(stored) = tensors.get(&format.name) else { continue };
        let (found, expected) = (stored.values.element, format.element);
        if found != expected {
            let (name, found, expected) = (&format.name, found.name(), expected.name());
            return Err(Fault::new(format!("the values of `{name}` are {found}, expected {expected}")));
        }
    }
    Ok(())
}

fn block_report((block, runner): (&crate::graph::Block, &Runner<'_>)) -> BlockReport {
    BlockReport { name: block.name.clone(), kind: block.kind.type_name(), busy: runner.busy }
}

fn at(fault: Fault, block: &str) -> Fault {
    Fault { message: format!("{} (at `{block}`)", fault.message), ..fault }
}

/// Makes the queues of a graph's streams. An input without a stream is a root's.
fn connect(graph: &Graph, network: &mut Network, runners: &mut [Runner<'_>]) {
    let inputs = |block: usize| graph.blocks[block].kind.inputs().len();
    let mut queues: Vec<Vec<Option<usize>>> =
        (0..runners.len()).map(|block| vec![None; inputs(block)]).collect();
    for stream in &graph.streams {
        let (writer, Port(port)) = stream.from;
        let output = runners[writer.0].outputs[port];
        for &(reader, Port(input)) in &stream.to {
            queues[reader.0][input] = Some(network.add_queue(output, writer.0, reader.0));
        }
    }
    for (block, (runner, queues)) in runners.iter_mut().zip(queues).enumerate() {
        runner.inputs =
            queues.into_iter().map(|queue| queue.unwrap_or_else(|| network.add_root(block))).collect();
    }
}
