//! The queues between blocks.

mod io;
mod ready;

use super::memory::MemoryState;
use super::token::{Token, TokenCounts};
use crate::graph::{BlockKind, Graph, GraphBlock, Port, Scanner};
pub(super) use io::Io;
use ready::Ready;
use std::collections::VecDeque;
use std::ops::Range;

/// No cycle: they begin at 1.
const NEVER: u64 = 0;

/// The depth of queues that take any number of tokens.
pub(super) const UNBOUNDED: u32 = u32::MAX;

/// A queue from an output to one of its readers. A reader sees a token in the cycle after it was put.
#[derive(Debug)]
struct Queue {
    tokens: VecDeque<Queued>,
    /// The last cycle in which tokens were put or taken.
    changed: u64,
    /// How many tokens it has had when that cycle began, and when the one before it did.
    at_change: u32,
    before_change: u32,
    writer: u32,
    reader: u32,
    /// How many tokens may wait before its writer does.
    depth: u32,
    wakes_writer: bool,
    /// Whether it is the way back to a scanner that skips, which is never full: it receives fewer
    /// tokens than it has put, and it may end before it has seen the last of them.
    is_way_back: bool,
}

/// It fits a cache line.
const _: () = assert!(size_of::<Queue>() <= 64);

impl Queue {
    /// An empty one from a block to itself, of any length.
    fn of(block: usize) -> Self {
        Self {
            tokens: VecDeque::new(),
            changed: NEVER,
            at_change: 0,
            before_change: 0,
            writer: small(block),
            reader: small(block),
            depth: UNBOUNDED,
            wakes_writer: false,
            is_way_back: false,
        }
    }

    /// How many tokens it has had when the cycle before this one began.
    fn len_before_last(&self, cycle: u64) -> usize {
        match cycle - self.changed {
            0 => self.before_change as usize,
            1 => self.at_change as usize,
            _ => self.tokens.len(),
        }
    }

    /// Notes that tokens are about to be put or taken in this cycle.
    fn change(&mut self, cycle: u64) {
        if self.changed < cycle {
            let len = self.tokens.len() as u32;
            self.before_change = if self.changed + 1 == cycle { self.at_change } else { len };
            self.at_change = len;
            self.changed = cycle;
        }
    }

    /// How many tokens it has had when the cycle began.
    fn len_before(&self, cycle: u64) -> usize {
        if self.changed == cycle { self.at_change as usize } else { self.tokens.len() }
    }
}

/// A token and the first cycle in which its reader sees it.
#[derive(Clone, Copy, Debug)]
struct Queued {
    token: Token,
    from: u64,
}

#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) counts: TokenCounts,
    /// Whether it is a bus, that may carry several tokens in a cycle.
    is_bus: bool,
    latency: u64,
    readers: Range<usize>,
}

/// All queues and outputs. Those of one block stand next to each other, in the order of its ports.
#[derive(Debug)]
pub(super) struct Network {
    queues: Vec<Queue>,
    pub(super) outputs: Vec<Output>,
    /// For each output that is a bus the cycles in which it has carried something, and the last of them.
    used: Vec<(u64, u64)>,
    readers: Vec<usize>,
    depth: u32,
    has_full: bool,
    /// How many tokens wait in queues whose writers wait for room, and the most that did in any cycle.
    waiting: (u64, u64),
    cycle: u64,
    ready: Ready,
    /// Whether blocks go through the cycles together, so that those that wait are woken.
    in_step: bool,
    pub(super) memory: Option<MemoryState>,
}

/// Where a block's queues and outputs begin.
#[derive(Clone, Debug)]
pub(super) struct BlockPorts {
    pub(super) inputs: Range<usize>,
    pub(super) outputs: Range<usize>,
}

impl Network {
    /// The queues of a graph's streams. An input without a stream is a root's, whose tokens are there from
    /// the start. Those of scanners that skip may be less deep. The result is where each block's ports are,
    /// too.
    pub(super) fn new(graph: &Graph, depth: u32, skip_depth: u32) -> (Self, Vec<BlockPorts>) {
        let mut network = Self {
            queues: Vec::new(),
            outputs: Vec::new(),
            used: Vec::new(),
            readers: Vec::new(),
            depth,
            has_full: false,
            waiting: (0, 0),
            cycle: NEVER,
            ready: Ready::all(graph.blocks.len()),
            in_step: false,
            memory: None,
        };
        let ports = graph.blocks.iter().enumerate().map(|(number, block)| network.add(number, block));
        let ports: Vec<BlockPorts> = ports.collect();
        for stream in &graph.streams {
            let (writer, Port(output)) = stream.from;
            let first = network.readers.len();
            for &(reader, port) in &stream.to {
                let number = ports[reader.0].inputs.start + port.0;
                let queue = &mut network.queues[number];
                queue.tokens.clear();
                queue.writer = small(writer.0);
                let kind = &graph.blocks[writer.0].kind;
                queue.depth = if skips(kind) { depth.min(skip_depth) } else { depth };
                network.has_full |= queue.depth != UNBOUNDED;
                queue.wakes_writer = queue.depth != UNBOUNDED || matches!(kind, BlockKind::Fetch(_));
                queue.is_way_back = port == Port::SKIP && skips(&graph.blocks[reader.0].kind);
                network.readers.push(number);
            }
            network.outputs[ports[writer.0].outputs.start + output].readers = first..network.readers.len();
        }
        (network, ports)
    }

    fn add(&mut self, number: usize, block: &GraphBlock) -> BlockPorts {
        let (inputs, outputs) = (self.queues.len(), self.outputs.len());
        self.queues.extend(block.kind.inputs().iter().map(|_| Queue {
            tokens: [Token::Data(0), Token::Done].map(|token| Queued { token, from: NEVER }).into(),
            ..Queue::of(number)
        }));
        let is_bus = block.lanes > 1;
        self.outputs.extend(block.kind.outputs().iter().map(|_| Output {
            is_bus,
            latency: 1,
            ..Output::default()
        }));
        self.used.resize(self.outputs.len(), (0, NEVER));
        BlockPorts { inputs: inputs..self.queues.len(), outputs: outputs..self.outputs.len() }
    }

    /// Has what a block puts on an output go to another queue, too, whose number this is, and which is no
    /// block's. It never holds anybody up.
    pub(super) fn tap(&mut self, block: usize, output: usize) -> usize {
        let queue = self.queues.len();
        self.queues.push(Queue::of(block));
        let readers = self.readers[self.outputs[output].readers.clone()].to_vec();
        let first = self.readers.len();
        self.readers.extend(readers);
        self.readers.push(queue);
        self.outputs[output].readers = first..self.readers.len();
        queue
    }

    pub(super) fn drain(&mut self, queue: usize, to: &mut VecDeque<Token>) {
        to.extend(self.queues[queue].tokens.drain(..).map(|queued| queued.token));
    }

    pub(super) fn delay(&mut self, outputs: Range<usize>, latency: u64) {
        self.outputs[outputs].iter_mut().for_each(|output| output.latency = latency);
    }

    pub(super) fn go_in_step(&mut self) {
        self.in_step = true;
    }

    pub(super) fn wake_at(&mut self, cycle: u64, block: usize) {
        self.ready.wake_at(cycle, block);
    }

    pub(super) fn cycle(&self) -> u64 {
        self.cycle
    }

    pub(super) fn is_bounded(&self) -> bool {
        self.depth != UNBOUNDED
    }

    /// The most tokens that were in queues at once, where these are bounded. Others are not filled in the
    /// order of the cycles.
    pub(super) fn most_waiting(&self) -> Option<u64> {
        self.is_bounded().then_some(self.waiting.1)
    }

    #[inline]
    pub(super) fn set_cycle(&mut self, cycle: u64) {
        self.cycle = cycle;
    }

    /// Begins a cycle. `false`: all blocks wait.
    pub(super) fn begin_cycle(&mut self) -> bool {
        self.waiting.1 = self.waiting.1.max(self.waiting.0);
        self.cycle = self.ready.cycle_behind(self.cycle);
        self.ready.begin_cycle(self.cycle)
    }

    #[inline]
    pub(super) fn next_ready(&mut self) -> Option<usize> {
        self.ready.take()
    }

    #[inline]
    pub(super) fn wake(&mut self, block: usize) {
        self.ready.wake(block);
    }

    /// Whether a reader of one of these outputs has had too many tokens when the last cycle began, so that
    /// nothing is put on them in this one. What was taken and put since then is not known there yet.
    #[inline]
    pub(super) fn is_blocked(&self, outputs: Range<usize>) -> bool {
        self.has_full && outputs.into_iter().any(|output| self.full(output).next().is_some())
    }

    pub(super) fn stays_blocked(&self, outputs: Range<usize>) -> bool {
        outputs.into_iter().any(|output| {
            self.read_by(output).any(|queue| queue.len_before(self.cycle) > queue.depth as usize)
        })
    }

    pub(super) fn full_readers(&self, output: usize) -> impl Iterator<Item = usize> {
        self.full(output).map(|queue| queue.reader as usize)
    }

    fn full(&self, output: usize) -> impl Iterator<Item = &Queue> {
        self.read_by(output).filter(|queue| queue.len_before_last(self.cycle) > queue.depth as usize)
    }

    /// The queues of an output that may be full.
    fn read_by(&self, output: usize) -> impl Iterator<Item = &Queue> {
        let readers = &self.readers[self.outputs[output].readers.clone()];
        readers.iter().map(|&queue| &self.queues[queue]).filter(|queue| !queue.is_way_back)
    }

    pub(super) fn used(&self, output: usize) -> u64 {
        let Output { counts, is_bus, .. } = &self.outputs[output];
        if *is_bus { self.used[output].0 } else { counts.total() }
    }

    pub(super) fn writer(&self, queue: usize) -> usize {
        self.queues[queue].writer as usize
    }

    #[inline]
    pub(super) fn front(&self, queue: usize) -> Option<Token> {
        let front = *self.queues[queue].tokens.front()?;
        (front.from <= self.cycle).then_some(front.token)
    }

    /// From when on the next token of a queue can be seen; nothing if it has not been put.
    pub(super) fn seen_from(&self, queue: usize) -> Option<u64> {
        self.queues[queue].tokens.front().map(|front| front.from)
    }

    /// The tokens that were put on an output in this cycle, as long as no reader has gone on to the next one.
    pub(super) fn put_now(&self, output: usize) -> impl Iterator<Item = Token> {
        let queue = self.queues_behind(output).first().map(|&queue| &self.queues[queue].tokens);
        let is_new = |queued: &&Queued| queued.from == self.cycle + self.outputs[output].latency;
        let count = queue.map_or(0, |tokens| tokens.iter().rev().take_while(is_new).count());
        queue
            .into_iter()
            .flat_map(move |tokens| tokens.range(tokens.len() - count..))
            .map(|queued| queued.token)
    }

    pub(super) fn queues_behind(&self, output: usize) -> &[usize] {
        &self.readers[self.outputs[output].readers.clone()]
    }

    /// The reader that has taken a token of an output in the last cycle, in which nothing was put on it.
    /// Queues that are never full do not know.
    pub(super) fn took_last(&self, output: usize) -> Option<usize> {
        let queues = self.queues_behind(output).iter().map(|&queue| &self.queues[queue]);
        let mut taken = queues.filter(|queue| queue.wakes_writer && queue.changed + 1 == self.cycle);
        taken.next().map(|queue| queue.reader as usize)
    }

    /// Whether a block lacks a token of a queue. What it may do without, it does not lack.
    pub(super) fn is_missing(&self, queue: usize) -> bool {
        self.front(queue).is_none() && !self.queues[queue].is_way_back
    }

    #[inline]
    pub(super) fn len(&self, queue: usize) -> usize {
        self.queues[queue].tokens.len()
    }

    pub(super) fn waiting(&self, output: usize) -> usize {
        let readers = &self.readers[self.outputs[output].readers.clone()];
        readers.iter().map(|&queue| self.len(queue)).max().unwrap_or(0)
    }

    pub(super) fn slowest_reader(&self, output: usize) -> usize {
        let readers = self.readers[self.outputs[output].readers.clone()].iter();
        let slowest = readers.max_by_key(|&&queue| self.len(queue));
        self.queues[*slowest.expect("a block that is ahead has a reader")].reader as usize
    }

    #[inline]
    fn take(&mut self, number: usize) -> Token {
        let queue = &mut self.queues[number];
        if queue.wakes_writer {
            queue.change(self.cycle);
        }
        let taken = queue.tokens.pop_front().expect("a block takes what it has seen");
        if queue.wakes_writer {
            self.waiting.0 -= 1;
            let writer = queue.writer as usize;
            self.wake(writer);
        }
        taken.token
    }

    #[inline]
    fn put(&mut self, number: usize, token: Token) {
        let output = &mut self.outputs[number];
        output.counts.add(token);
        if output.is_bus && self.used[number].1 != self.cycle {
            self.used[number] = (self.used[number].0 + 1, self.cycle);
        }
        for &queue in &self.readers[output.readers.clone()] {
            let queue = &mut self.queues[queue];
            let from = self.cycle + output.latency;
            let is_first = queue.tokens.back().is_none_or(|last| last.from < from);
            debug_assert!(is_first || output.is_bus, "a block puts one token a cycle on an output");
            if queue.wakes_writer {
                queue.change(self.cycle);
            }
            queue.tokens.push_back(Queued { token, from });
            if queue.wakes_writer {
                self.waiting.0 += 1;
            }
            match output.latency {
                1 => self.ready.wake(queue.reader as usize),
                _ if self.in_step => self.ready.wake_at(from, queue.reader as usize),
                _ => {}
            }
        }
    }
}

/// The number of a block; memory holds fewer than 2^32.
fn small(block: usize) -> u32 {
    u32::try_from(block).expect("memory holds fewer blocks than 2^32")
}

fn skips(kind: &BlockKind) -> bool {
    matches!(kind, BlockKind::Scanner(Scanner { skips: true, .. }))
}
