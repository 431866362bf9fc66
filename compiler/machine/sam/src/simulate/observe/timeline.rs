//! What blocks, streams and queues have done over time.

use crate::graph::Graph;
use crate::machine::{Timings, Unit};
use crate::simulate::outcome::stream_name;

/// A run has fewer bins than this, and at least half as many if it has so many cycles.
const MOST_BINS: u64 = 256;

/// Cycles in equal bins, the first of which begins with cycle 1. Bins become twice as wide whenever there
/// would be too many of them, so that a run of any length takes the same memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    intervals: Vec<u64>,
    /// The cycles of a bin; the last one may have fewer.
    pub width: u64,
    pub busy: Vec<Vec<u64>>,
    pub tokens: Vec<Vec<u64>>,
    pub critical: Vec<Vec<u64>>,
    /// The queues behind streams, in the order of these and of their readers.
    pub queues: Vec<QueueReport>,
    now: Vec<u64>,
    begun: usize,
    /// Whether the last bin has begun in this cycle.
    is_fresh: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueReport {
    /// The stream, and the block and the input that it leads to.
    pub name: String,
    /// The stream's number in the graph.
    pub stream: usize,
    pub most: Vec<u64>,
}

impl Timeline {
    pub(super) fn new(graph: &Graph, timings: &Timings) -> Self {
        let mut queues = Vec::new();
        for (number, stream) in graph.streams.iter().enumerate() {
            let from = stream_name(graph, stream);
            let names = stream
                .to
                .iter()
                .map(|(reader, port)| format!("{from} to {}, input {}", graph.blocks[reader.0].name, port.0));
            queues.extend(names.map(|name| QueueReport { name, stream: number, most: Vec::new() }));
        }
        Self {
            width: 1,
            intervals: graph
                .blocks
                .iter()
                .map(|block| timings.of(Unit::of(&block.kind)).interval.into())
                .collect(),
            busy: vec![Vec::new(); graph.blocks.len()],
            tokens: vec![Vec::new(); graph.streams.len()],
            critical: Vec::new(),
            now: vec![0; queues.len()],
            queues,
            begun: 0,
            is_fresh: false,
        }
    }

    pub fn bins(&self) -> usize {
        self.begun
    }

    pub(super) fn advance(&mut self, cycle: u64) {
        if cycle == 0 || cycle <= self.width * self.begun as u64 {
            return;
        }
        while (cycle - 1) / self.width >= MOST_BINS {
            self.widen();
        }
        self.begun = ((cycle - 1) / self.width) as usize + 1;
        let sums = self.busy.iter_mut().chain(&mut self.tokens);
        sums.for_each(|row| row.resize(self.begun, 0));
        // What was in a queue still is, until it changes, which it may do in the first cycle of a bin.
        self.is_fresh = (cycle - 1).is_multiple_of(self.width);
        let queues = self.queues.iter_mut().zip(&self.now);
        for (queue, now) in queues {
            queue.most.resize(self.begun, *now);
            if let Some(last) = queue.most.last_mut().filter(|_| self.is_fresh) {
                *last = 0;
            }
        }
    }

    /// All blocks have gone through the cycle.
    pub(super) fn end_cycle(&mut self) {
        if !std::mem::take(&mut self.is_fresh) {
            return;
        }
        for (queue, now) in self.queues.iter_mut().zip(&self.now) {
            let last = queue.most.last_mut().expect("a bin has begun");
            *last = (*last).max(*now);
        }
    }

    fn widen(&mut self) {
        self.width *= 2;
        let sums = self.busy.iter_mut().chain(&mut self.tokens);
        sums.for_each(|row| merge(row, |pair| pair.iter().sum()));
        let most = |pair: &[u64]| pair.iter().copied().max().unwrap_or_default();
        self.queues.iter_mut().for_each(|queue| merge(&mut queue.most, most));
    }

    /// A step counts with all of its cycles in the bin in which it begins, which has no more than its own.
    pub(super) fn busy(&mut self, block: usize) {
        let busy = self.busy[block].last_mut().expect("a bin has begun");
        *busy = (*busy + self.intervals[block]).min(self.width);
    }

    pub(super) fn token(&mut self, stream: usize) {
        add(&mut self.tokens[stream]);
    }

    pub(super) fn waiting(&mut self, queue: usize, tokens: u64) {
        self.now[queue] = tokens;
        let last = self.queues[queue].most.last_mut().expect("a bin has begun");
        *last = tokens.max(*last);
    }
}

fn merge(row: &mut Vec<u64>, one_of: impl Fn(&[u64]) -> u64) {
    *row = row.chunks(2).map(one_of).collect();
}

fn add(row: &mut [u64]) {
    *row.last_mut().expect("a bin has begun") += 1;
}
