//! The cycles.

mod apart;

use super::block::{self, Behaviour, RunInputs, Step, Stepped, WrittenPart};
use super::deadlock::{Stuck, Wait};
use super::fault::SimulationFault;
use super::memory::{MemoryModel, MemoryState, Stored, StoredTiles};
use super::network::{BlockPorts, Io, Network, UNBOUNDED};
use super::observe::{Observe, Observer, Unobserved, Watcher};
use super::outcome::{BlockReport, RunReport, StreamReport, result, stream_name};
use super::points::points;
use super::result_tiles::{Before, ResultTiles};
use super::token::TokenCounts;
use super::{Progress, SimulationOptions, Tensors, Watch};
use crate::graph::{BlockId, BlockKind, Graph, GraphBlock, Port, Stream};
use crate::machine::{Timings, Unit};
use crate::named::Named as _;
use crate::storage::StoredTensor;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

/// The number of cycles of all blocks after which a run reports how far it has come.
const WATCHED: u64 = 1 << 16;

struct Runner<'a> {
    behaviour: Box<dyn Behaviour + 'a>,
    ports: BlockPorts,
    /// How many steps it takes in a cycle, until a stop.
    steps: usize,
    lanes: usize,
    interval: u64,
    free_from: u64,
    /// Cycles in which it took or put a token, or went on with them.
    busy: u64,
    has_ended: bool,
}

pub(super) struct Engine<'a> {
    graph: &'a Graph,
    tensors: &'a BTreeMap<String, StoredTensor>,
    runners: Vec<Runner<'a>>,
    network: Network,
    /// The tiles of the result, where a memory is written to.
    rounds: Option<ResultTiles>,
    writers: usize,
    timings: Timings,
    /// The most cycles after which a token is seen.
    latency: u64,
}

impl<'a> Engine<'a> {
    pub(super) fn new(
        graph: &'a Graph,
        tensors: Tensors<'a>,
        options: SimulationOptions,
    ) -> Result<Self, SimulationFault> {
        let Tensors { stored, untiled } = tensors;
        let depth = |depth: Option<NonZeroUsize>| {
            depth.map_or(UNBOUNDED, |depth| u32::try_from(depth.get()).unwrap_or(UNBOUNDED - 1))
        };
        let (mut network, ports) = Network::new(graph, depth(options.queue_depth), depth(options.skip_depth));
        network.memory = options.memory.map(|memory| started(memory, graph, tensors));
        let mut runners: Vec<Runner<'a>> = Vec::new();
        check_elements(graph, stored)?;
        let given = RunInputs::new(graph, tensors, options.empty_coordinates);
        for ((number, block), ports) in graph.blocks.iter().enumerate().zip(ports) {
            let behaviour = block::start(BlockId(number), &given)?;
            let steps = if behaviour.is_wide() { 1 } else { block.lanes };
            let timing = options.timings.of(Unit::of(&block.kind));
            network.delay(ports.outputs.clone(), timing.latency.into());
            runners.push(Runner {
                behaviour,
                ports,
                steps,
                lanes: block.lanes,
                interval: timing.interval.into(),
                free_from: 1 + u64::from(timing.startup),
                busy: 0,
                has_ended: false,
            });
        }
        let writers = graph.blocks.iter().filter(|block| block.kind.is_writer()).count();
        let timings = options.timings;
        let latency = timings.longest().into();
        let rounds = options.memory.filter(|_| tensors.are_tiled(graph)).map(|memory| {
            let before = Before { graph, tensors: stored, untiled, memory };
            ResultTiles::new(&before, &mut network, &|(block, Port(output))| {
                runners[block.0].ports.outputs.start + output
            })
        });
        Ok(Self { graph, tensors: stored, runners, network, rounds, writers, timings, latency })
    }

    pub(super) fn run(mut self, watch: &mut Watch<'_>) -> Result<RunReport, SimulationFault> {
        match apart::order(self.graph) {
            Some(order) if !self.network.is_bounded() && self.network.memory.is_none() => {
                apart::run(&mut self, &order, watch)?
            }
            _ => self.run_in_step(watch, &mut Unobserved)?,
        }
        self.outcome()
    }

    /// The same, observed cycle by cycle: blocks go through the cycles together, since what is reported of a
    /// cycle must come in one piece.
    pub(super) fn run_observed(
        mut self,
        watch: &mut Watch<'_>,
        observe: Observe<'_, '_>,
    ) -> Result<RunReport, SimulationFault> {
        let ports = self.runners.iter().map(|runner| runner.ports.clone()).collect();
        let mut watcher = Watcher::new(self.graph, ports, &self.timings, observe)?;
        let run = self.run_in_step(watch, &mut watcher);
        let last = self.network.cycle();
        let outcome = run.and_then(|()| self.outcome());
        let cycles = outcome.as_ref().map_or(last, |outcome| outcome.cycles);
        let profile = watcher.finish(last, cycles)?;
        Ok(RunReport { profile, ..outcome? })
    }

    /// All blocks go through one cycle before any goes on to the next.
    fn run_in_step(
        &mut self,
        watch: &mut Watch<'_>,
        observer: &mut impl Observer,
    ) -> Result<(), SimulationFault> {
        let mut told = WATCHED;
        self.network.go_in_step();
        while self.writers > 0 {
            if !self.network.begin_cycle() {
                return Err(self.stuck());
            }
            if self.network.cycle() >= told {
                told = self.network.cycle() + WATCHED;
                watch(self.progress(self.network.cycle() - 1));
            }
            while let Some(block) = self.network.next_ready() {
                let Runner { ports: BlockPorts { outputs, .. }, has_ended, free_from, .. } =
                    &self.runners[block];
                if *has_ended {
                    continue;
                }
                if *free_from > self.network.cycle() {
                    let free_from = *free_from;
                    self.network.wake_at(free_from, block);
                    continue;
                }
                if !self.network.is_blocked(outputs.clone()) {
                    observer.before_step(&self.network, block);
                    if self.step(block)? != Step::Waits {
                        observer.has_stepped(&self.network, block);
                    }
                } else {
                    observer.has_no_room(&self.network, block);
                    if !self.network.stays_blocked(outputs.clone()) {
                        self.network.wake(block);
                    }
                }
            }
            observer.end_cycle(&self.network)?;
            if let Some(rounds) = &mut self.rounds {
                rounds.observe(&mut self.network);
            }
        }
        Ok(())
    }

    /// A block does what it does in this cycle. It is called in three loops, each of which must have it
    /// whole.
    #[inline(always)]
    fn step(&mut self, number: usize) -> Result<Step, SimulationFault> {
        let runner = &mut self.runners[number];
        let (inputs, outputs) = (runner.ports.inputs.start, runner.ports.outputs.clone());
        let mut io = Io { network: &mut self.network, inputs, outputs };
        let step = match runner.steps {
            1 => runner.behaviour.step(&mut io),
            steps => several(runner.behaviour.as_mut(), steps, &mut io),
        };
        let step = step.map_err(|fault| at(fault, &self.graph.blocks[number].name))?;
        match step {
            Step::Waits => return Ok(step),
            Step::Moved => {
                self.network.wake(number);
                runner.free_from = self.network.cycle() + runner.interval;
            }
            Step::Ends => {
                runner.has_ended = true;
                self.writers -= usize::from(runner.ports.outputs.is_empty());
            }
        }
        runner.busy += runner.interval;
        Ok(step)
    }

    fn stuck(&self) -> SimulationFault {
        let more_room = match (self.network.is_bounded(), self.network.memory.is_some()) {
            (true, false) => Some("deepen the queues, or leave them unbounded"),
            (true, true) => Some(
                "deepen the queues, or leave them unbounded, or give operands more `buffers` of the memory",
            ),
            (false, true) => Some("give operands more `buffers` of the memory"),
            (false, false) => None,
        };
        let names = self.graph.blocks.iter().map(|block| block.name.as_str()).collect();
        let waits = (0..self.runners.len()).map(|block| self.wait(block)).collect();
        Stuck { names, waits, cycle: self.network.cycle(), more_room }.explain()
    }

    /// What a block waits for; nothing if it has ended. One that lacks no token, and has room in the queues
    /// behind it, is as far ahead of its reader as it may be.
    fn wait(&self, block: usize) -> Option<Wait> {
        let runner = &self.runners[block];
        if runner.has_ended {
            return None;
        }
        let mut full = runner.ports.outputs.clone().flat_map(|output| self.network.full_readers(output));
        if let Some(reader) = full.next() {
            return Some(Wait::Room(reader));
        }
        let missing = runner.ports.inputs.clone().filter(|&queue| {
            self.network.is_missing(queue) && runner.behaviour.lacks(queue - runner.ports.inputs.start)
        });
        // It may have seen the end of an input, and wait for others.
        let writer = missing
            .map(|queue| self.network.writer(queue))
            .min_by_key(|&writer| self.runners[writer].has_ended);
        Some(
            writer.map_or_else(
                || Wait::Room(self.network.slowest_reader(runner.ports.outputs.start)),
                Wait::Token,
            ),
        )
    }

    fn outcome(mut self) -> Result<RunReport, SimulationFault> {
        let written: Vec<WrittenPart> =
            self.runners.iter_mut().filter_map(|runner| runner.behaviour.written()).collect();
        let (result, unfit) = result(self.graph, self.tensors, written)?;
        let memory = self.network.memory.as_mut().map(|memory| {
            if self.rounds.is_none() {
                memory.store(Stored::result(&result).bytes());
            }
            (memory.report(), memory.end())
        });
        let cycles = memory.map_or(0, |(_, end)| end).max(self.network.cycle());
        // A step that the run ends in counts as far as that.
        let block_report = |(block, runner): (&GraphBlock, &Runner<'_>)| BlockReport {
            name: block.name.clone(),
            kind: block.kind.type_name(),
            busy: runner.busy.min(cycles),
        };
        let streams: Vec<StreamReport> =
            self.graph.streams.iter().map(|stream| self.stream_report(stream, cycles)).collect();
        Ok(RunReport {
            most_waiting: self.network.most_waiting(),
            points: points(self.graph, &streams),
            cycles,
            memory: memory.map(|(report, _)| report),
            profile: None,
            costs: None,
            result,
            unfit,
            streams,
            blocks: self.graph.blocks.iter().zip(&self.runners).map(block_report).collect(),
        })
    }

    fn progress(&self, cycles: u64) -> Progress {
        Progress { cycles, tokens: self.graph.streams.iter().map(|stream| self.counts(stream).total()).sum() }
    }

    fn counts(&self, stream: &Stream) -> TokenCounts {
        let (block, port) = stream.from;
        self.network.outputs[self.runners[block.0].ports.outputs.start + port.0].counts
    }

    fn stream_report(&self, stream: &Stream, cycles: u64) -> StreamReport {
        let ((block, port), counts) = (stream.from, self.counts(stream));
        let output = self.runners[block.0].ports.outputs.start + port.0;
        let name = stream_name(self.graph, stream);
        StreamReport { name, kind: stream.kind, counts, idle: cycles - self.network.used(output) }
    }
}

/// The memory, which has brought the operands that are not fetched tile by tile. Beside tiles these are tiles
/// as well; numbers are where they are used, and parts of the result are added up in DRAM.
fn started(memory: MemoryModel, graph: &Graph, tensors: Tensors<'_>) -> MemoryState {
    let mut state = MemoryState::new(memory);
    let Tensors { stored, untiled } = tensors;
    let is_fetched = |name: &str| {
        graph
            .blocks
            .iter()
            .any(|block| matches!(&block.kind, BlockKind::Fetch(fetch) if fetch.tensor == name))
    };
    let names: BTreeSet<&str> = graph.tensors.iter().skip(1).map(|tensor| tensor.name.as_str()).collect();
    for name in names {
        let Some(stored) = stored.get(name).filter(|_| !is_fetched(name)) else { continue };
        state.load_all(match tensors.are_tiled(graph) {
            true if stored.levels.is_empty() || untiled.sums.contains(name) => 0,
            true => StoredTiles::new(name, stored, untiled).whole(),
            false => Stored::operand(graph, name, stored).bytes(),
        });
    }
    state
}

/// The steps of a cycle of a block with buses: a stop is the last thing that moves on one.
fn several(behaviour: &mut dyn Behaviour, steps: usize, io: &mut Io<'_>) -> Stepped {
    let mut last = Step::Waits;
    for _ in 0..steps {
        let (before, is_last) = (io.stops(), io.is_at_last());
        match behaviour.step(io)? {
            Step::Waits => return Ok(last),
            Step::Ends => return Ok(Step::Ends),
            Step::Moved => last = Step::Moved,
        }
        if is_last || io.stops() != before {
            break;
        }
    }
    Ok(last)
}

/// Operands must have the type that the graph computes with.
fn check_elements(graph: &Graph, tensors: &BTreeMap<String, StoredTensor>) -> Result<(), SimulationFault> {
    for format in graph.tensors.iter().skip(1) {
        let Some(stored) = tensors.get(&format.name) else { continue };
        let (found, expected) = (stored.values.element, format.element);
        if found != expected {
            let (name, found, expected) = (&format.name, found.case_name(), expected.case_name());
            return Err(fault!("the values of `{name}` are {found}, expected {expected}"));
        }
    }
    Ok(())
}

fn at(fault: SimulationFault, block: &str) -> SimulationFault {
    SimulationFault { message: format!("{} (at `{block}`)", fault.message), ..fault }
}
