//! What happens when: a trace, what blocks, streams and queues do over time, and the critical path.
//!
//! All of it is asked of the network at the end of a cycle, or when a block is about to step, so that a run
//! that nobody observes does nothing for it.

mod critical;
mod phases;
mod timeline;

pub use phases::Phase;
pub use timeline::{QueueReport, Timeline};

use super::fault::SimulationFault;
use super::network::{BlockPorts, Network};
use super::trace::Trace;
use crate::graph::Graph;
use crate::machine::Timings;
use critical::CriticalPath;
use std::io;

#[derive(Default)]
pub struct Observe<'t, 'w> {
    /// Where every token goes, and the number of the graph among those that the trace is made for.
    pub trace: Option<(&'t mut Trace<'w>, usize)>,
    pub profiled: Profiled,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profiled {
    #[default]
    Nothing,
    /// The critical path and the phases of the run.
    Path,
    /// The time axis besides.
    All,
}

impl Observe<'_, '_> {
    pub(super) fn is_nothing(&self) -> bool {
        self.trace.is_none() && self.profiled == Profiled::Nothing
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// For each block of the graph the cycles that the critical path is in it. All blocks together have the
    /// cycles of the run, but for those in which only the memory was busy.
    pub critical: Vec<u64>,
    /// The parts of the run in which one block has most of the critical path, one behind the other.
    pub phases: Vec<Phase>,
    /// What blocks, streams and queues have done over time, if that was asked for.
    pub timeline: Option<Timeline>,
}

impl Profile {
    /// The block that has most of the critical path, and its cycles.
    pub fn bottleneck(&self) -> Option<(usize, u64)> {
        let most = self.critical.iter().copied().enumerate().rev().max_by_key(|(_, cycles)| *cycles);
        most.filter(|(_, cycles)| *cycles > 0)
    }
}

pub(super) trait Observer {
    fn before_step(&mut self, network: &Network, block: usize);
    fn has_stepped(&mut self, network: &Network, block: usize);
    fn has_no_room(&mut self, network: &Network, block: usize);
    /// All blocks have gone through the cycle.
    fn end_cycle(&mut self, network: &Network) -> Result<(), SimulationFault>;
}

pub(super) struct Unobserved;

impl Observer for Unobserved {
    fn before_step(&mut self, _: &Network, _: usize) {}
    fn has_stepped(&mut self, _: &Network, _: usize) {}
    fn has_no_room(&mut self, _: &Network, _: usize) {}
    fn end_cycle(&mut self, _: &Network) -> Result<(), SimulationFault> {
        Ok(())
    }
}

/// One who writes a trace or a profile.
pub(super) struct Watcher<'t, 'w> {
    trace: Option<&'t mut Trace<'w>>,
    timeline: Timeline,
    path: Option<CriticalPath>,
    profiled: Profiled,
    wires: Wires,
    stepped: Vec<usize>,
}

pub(super) struct Wires {
    ports: Vec<BlockPorts>,
    streams: Vec<Option<usize>>,
    /// For each queue its number among those of the streams.
    queues: Vec<Option<usize>>,
    is_writer: Vec<bool>,
}

impl Wires {
    fn new(graph: &Graph, ports: Vec<BlockPorts>) -> Self {
        let end = |range: Option<usize>| range.unwrap_or_default();
        let outputs = end(ports.iter().map(|ports| ports.outputs.end).max());
        let inputs = end(ports.iter().map(|ports| ports.inputs.end).max());
        let (mut streams, mut queues) = (vec![None; outputs], vec![None; inputs]);
        let mut count = 0;
        for (number, stream) in graph.streams.iter().enumerate() {
            let (writer, port) = stream.from;
            streams[ports[writer.0].outputs.start + port.0] = Some(number);
            for (reader, port) in &stream.to {
                queues[ports[reader.0].inputs.start + port.0] = Some(count);
                count += 1;
            }
        }
        let is_writer = graph.blocks.iter().map(|block| block.kind.is_writer()).collect();
        Self { ports, streams, queues, is_writer }
    }
}

impl<'t, 'w> Watcher<'t, 'w> {
    pub(super) fn new(
        graph: &Graph,
        ports: Vec<BlockPorts>,
        timings: &Timings,
        observe: Observe<'t, 'w>,
    ) -> Result<Self, SimulationFault> {
        let Observe { trace, profiled } = observe;
        let trace = trace.map(|(trace, number)| trace.0.begin(number).map(|()| trace));
        let needs_path = profiled != Profiled::Nothing;
        Ok(Self {
            trace: trace.transpose()?,
            timeline: Timeline::new(graph, timings),
            path: needs_path.then(|| CriticalPath::new(graph, timings)),
            profiled,
            wires: Wires::new(graph, ports),
            stepped: Vec::new(),
        })
    }

    /// What came of a run whose blocks were done in this cycle, and the whole of it in that one.
    pub(super) fn finish(self, last: u64, cycles: u64) -> Result<Option<Profile>, SimulationFault> {
        let Self { trace, mut timeline, path, profiled, wires, .. } = self;
        trace.map_or(Ok(()), |trace| trace.0.end(cycles))?;
        let Some(path) = path else { return Ok(None) };
        timeline.advance(cycles);
        timeline.end_cycle();
        let critical = path.finish(last, &wires.is_writer, &timeline);
        let phases = phases::phases(&critical, timeline.width, cycles);
        let total = critical.iter().map(|bins| bins.iter().sum()).collect();
        timeline.critical = critical;
        let timeline = (profiled == Profiled::All).then_some(timeline);
        Ok(Some(Profile { critical: total, phases, timeline }))
    }
}

impl Observer for Watcher<'_, '_> {
    fn before_step(&mut self, network: &Network, block: usize) {
        if let Some(path) = &mut self.path {
            path.before_step(network, &self.wires.ports[block], block);
        }
    }

    fn has_stepped(&mut self, network: &Network, block: usize) {
        self.stepped.push(block);
        if let Some(path) = &mut self.path {
            path.has_stepped(network, block);
        }
    }

    fn has_no_room(&mut self, network: &Network, block: usize) {
        if let Some(path) = &mut self.path {
            path.has_no_room(network, &self.wires.ports[block], block);
        }
    }

    fn end_cycle(&mut self, network: &Network) -> Result<(), SimulationFault> {
        let Self { trace, timeline, path, wires, stepped, .. } = self;
        timeline.advance(network.cycle());
        for block in stepped.drain(..) {
            let ports = &wires.ports[block];
            timeline.busy(block);
            for output in ports.outputs.clone() {
                let Some(stream) = wires.streams[output] else { continue };
                for token in network.put_now(output) {
                    timeline.token(stream);
                    trace.as_mut().map_or(Ok(()), |trace| trace.0.token(stream, token))?;
                }
            }
            let behind =
                ports.outputs.clone().flat_map(|output| network.queues_behind(output).iter().copied());
            for queue in ports.inputs.clone().chain(behind) {
                // Queues behind those of the blocks are of whoever looks at streams as well.
                let Some(number) = wires.queues.get(queue).copied().flatten() else { continue };
                let tokens = network.len(queue) as u64;
                timeline.waiting(number, tokens);
                trace.as_mut().map_or(Ok(()), |trace| trace.0.waiting(number, tokens))?;
            }
        }
        timeline.end_cycle();
        if let Some(path) = path {
            path.end_cycle(network.cycle(), timeline.width);
        }
        Ok(trace.as_mut().map_or(Ok(()), |trace| trace.0.end_cycle(network.cycle()))?)
    }
}

/// Only traces are written while a graph runs.
impl From<io::Error> for SimulationFault {
    fn from(error: io::Error) -> Self {
        Self::of_options(format!("cannot write the trace: {error}"))
    }
}
