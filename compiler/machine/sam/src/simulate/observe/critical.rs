//! The critical path: which block each cycle of a run was spent in.
//!
//! Looking back from the last step of a run, a block that has stepped in the cycle before is itself the cause
//! of its step. Otherwise it has waited, and the cause is the block that has put the token, or has made the
//! room, that it waited for.
//!
//! While a run goes on, each block that has just stepped is the end of such a path. Paths are kept as a tree
//! of intervals, the later ones behind those that have caused them. Those of blocks that wait are forgotten:
//! what wakes such a block is its cause. Where a stretch of the tree does not branch any more, only its
//! cycles for each block and bin are kept. So the tree has as many nodes as blocks, give or take, whatever
//! the length of the run.

mod shares;
mod tree;

use super::Timeline;
use crate::graph::{BlockKind, Graph};
use crate::machine::{Timing, Timings, Unit};
use crate::simulate::network::{BlockPorts, Network};
use tree::{NodeId, Tree};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// It goes on, or has waited for nothing but the memory.
    Itself,
    Block(usize),
}

pub(super) struct CriticalPath {
    tree: Tree,
    /// For each block the node of its last step, unless it is forgotten.
    heads: Vec<Option<NodeId>>,
    last: Vec<u64>,
    /// For each block the last cycle in which it had no room, and the reader that was to make some.
    full: Vec<(u64, usize)>,
    /// The blocks that may wait for the memory.
    fetches: Vec<bool>,
    timings: Vec<Timing>,
    /// After how many cycles a step causes no other one any more. Room that a step makes is seen two cycles
    /// later.
    horizon: u64,
    /// What the block that is about to step has waited for.
    cause: Cause,
    /// The queues in which a token has come to it in this cycle, and how many tokens are in them.
    come: Vec<(usize, usize)>,
    /// The blocks whose intervals begin, with the nodes that have caused them and the first cycles of the
    /// intervals.
    begun: Vec<(usize, Option<NodeId>, u64)>,
}

impl CriticalPath {
    pub(super) fn new(graph: &Graph, timings: &Timings) -> Self {
        let blocks = graph.blocks.len();
        let timings: Vec<Timing> =
            graph.blocks.iter().map(|block| timings.of(Unit::of(&block.kind))).collect();
        let longest = timings.iter().map(|timing| timing.latency.max(timing.interval)).max();
        Self {
            tree: Tree::default(),
            heads: vec![None; blocks],
            last: vec![0; blocks],
            full: vec![(0, 0); blocks],
            fetches: graph.blocks.iter().map(|block| matches!(block.kind, BlockKind::Fetch(_))).collect(),
            timings,
            horizon: longest.unwrap_or(1).into(),
            cause: Cause::Itself,
            come: Vec::new(),
            begun: Vec::new(),
        }
    }

    pub(super) fn has_no_room(&mut self, network: &Network, ports: &BlockPorts, block: usize) {
        let mut readers = ports.outputs.clone().flat_map(|output| network.full_readers(output));
        if let Some(reader) = readers.next() {
            self.full[block] = (network.cycle(), reader);
        }
    }

    /// Finds what the block has waited for, if it steps now. Room comes before tokens: where both have come
    /// in this cycle, the tokens may be others than those that it takes.
    pub(super) fn before_step(&mut self, network: &Network, ports: &BlockPorts, block: usize) {
        let before = network.cycle() - 1;
        self.come.clear();
        self.cause = Cause::Itself;
        if self.was_at_work(block, before) {
            return;
        }
        let (full, reader) = self.full[block];
        if full == before {
            self.cause = Cause::Block(reader);
            return;
        }
        let come = ports.inputs.clone().filter(|&queue| network.seen_from(queue) == Some(before + 1));
        self.come.extend(come.map(|queue| (queue, network.len(queue))));
        if self.come.is_empty()
            && let Some(reader) = ports.outputs.clone().find_map(|output| network.took_last(output))
        {
            self.cause = Cause::Block(reader);
        }
    }

    /// Of the tokens that have come, the block has waited for one that it has taken.
    pub(super) fn has_stepped(&mut self, network: &Network, block: usize) {
        let taken = self.come.iter().find(|(queue, len)| network.len(*queue) < *len);
        if let Some((queue, _)) = taken.or(self.come.first()) {
            self.cause = Cause::Block(network.writer(*queue));
        }
        let cycle = network.cycle();
        let cause = match self.cause {
            Cause::Itself if self.heads[block].is_some() => None,
            Cause::Itself => Some(None),
            Cause::Block(cause) => Some(self.heads[cause]),
        };
        let is_without_cause = self.was_at_work(block, cycle - 1) || self.fetches[block];
        debug_assert!(cause.flatten().is_some() || is_without_cause, "something wakes {block}");
        // It starts up from the first cycle on.
        let is_first = self.last[block] == 0 && self.cause == Cause::Itself;
        let begin = if is_first && !self.fetches[block] { 1 } else { cycle };
        self.begun.extend(cause.map(|cause| (block, cause, begin)));
        self.last[block] = cycle;
    }

    /// Whether it has been at work up to this cycle: with its last step, or with its start-up.
    fn was_at_work(&self, block: usize, cycle: u64) -> bool {
        let Timing { interval, startup, .. } = self.timings[block];
        match self.last[block] {
            0 => cycle <= startup.into(),
            last => cycle < last + u64::from(interval),
        }
    }

    pub(super) fn end_cycle(&mut self, cycle: u64, width: u64) {
        for (block, cause, begin) in self.begun.drain(..) {
            self.heads[block] = Some(self.tree.add(block, cause, begin));
        }
        if self.tree.is_large() {
            self.forget(cycle);
            self.tree.shrink(&mut self.heads, width);
        }
    }

    /// Leaves out the blocks that cause no step any more.
    fn forget(&mut self, cycle: u64) {
        for (block, head) in self.heads.iter_mut().enumerate() {
            if self.last[block] + self.horizon < cycle && !self.fetches[block] {
                *head = None;
            }
        }
    }

    /// For each block and bin of the run the cycles that the path is in it, which ends with a writer that has
    /// ended in this cycle.
    pub(super) fn finish(mut self, last: u64, is_writer: &[bool], timeline: &Timeline) -> Vec<Vec<u64>> {
        let mut ends = (0..self.heads.len()).filter(|&block| is_writer[block] && self.last[block] == last);
        let head = ends.next().and_then(|block| self.heads[block]);
        let shares = self.tree.shares(head, last, timeline.width);
        shares.by_block(self.heads.len(), timeline.bins())
    }
}
