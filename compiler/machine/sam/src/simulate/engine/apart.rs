//! Every block in its own time.
//!
//! Tokens know from which cycle on they can be seen, and what a block does depends on its inputs only. So a
//! block may go through many cycles at once, as long as it is known which tokens it sees in them: those that
//! its writers have put in the cycles that they are done with. What comes of it is what would come of going
//! through the cycles together, but queues stay short and a block's data stay in the cache.

use super::Engine;
use crate::graph::Graph;
use crate::simulate::Watch;
use crate::simulate::block::Step;
use crate::simulate::fault::SimulationFault;

/// How many cycles a block goes through before it is another one's turn, and how many tokens may wait at its
/// readers for it to have one. All queues together should fit into a cache.
const TURN: usize = 64;

/// The number of turns of each block after which a run reports how far it has come.
const WATCHED: u64 = 1 << 10;

/// How many tokens of an input a block looks at in a step, at most: one that it takes, and the next.
const LOOKS_AT: usize = 2;

/// The cycle of those who have no more.
const NEVER: u64 = u64::MAX;

/// The blocks, each behind those that it reads from. `None`: there is a circle.
pub(super) fn order(graph: &Graph) -> Option<Vec<usize>> {
    let order = graph.in_order(|_| true);
    (order.len() == graph.blocks.len()).then_some(order)
}

/// Runs all blocks until the writers have ended, and the others up to that cycle.
pub(super) fn run(
    engine: &mut Engine<'_>,
    order: &[usize],
    watch: &mut Watch<'_>,
) -> Result<(), SimulationFault> {
    let (needed, others) = parts(engine.graph, order);
    let clocks = engine.runners.iter().map(|runner| runner.free_from).collect();
    let mut turns = Turns { engine, clocks, last: 0, limit: NEVER - 1 };
    turns.run(&needed, watch)?;
    if turns.engine.writers > 0 {
        // Nobody moves in the cycle behind the one in which the last tokens were seen.
        turns.engine.network.set_cycle(turns.last + 1 + turns.engine.latency);
        return Err(turns.engine.stuck());
    }
    turns.limit = turns.last;
    turns.run(&others, watch)?;
    let cycles = turns.limit;
    engine.network.set_cycle(cycles);
    Ok(())
}

/// The blocks that lead to a writer, and the others; both in their order.
fn parts(graph: &Graph, order: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let mut leads = vec![false; graph.blocks.len()];
    let mut readers = vec![Vec::new(); graph.blocks.len()];
    for stream in &graph.streams {
        readers[stream.from.0.0].extend(stream.to.iter().map(|(reader, _)| reader.0));
    }
    for &block in order.iter().rev() {
        leads[block] = graph.blocks[block].kind.is_writer()
            || readers[block].iter().any(|&reader: &usize| leads[reader]);
    }
    order.iter().partition(|&&block| leads[block])
}

struct Turns<'e, 'a> {
    engine: &'e mut Engine<'a>,
    /// For each block the next cycle that it goes through.
    clocks: Vec<u64>,
    last: u64,
    limit: u64,
}

impl Turns<'_, '_> {
    /// Lets the blocks take turns until all have ended or wait. Where all wait for others whose readers
    /// have enough, these may go on.
    fn run(&mut self, blocks: &[usize], watch: &mut Watch<'_>) -> Result<(), SimulationFault> {
        let (mut enough, mut turns) = (TURN, 0_u64);
        loop {
            turns += 1;
            if turns.is_multiple_of(WATCHED) {
                watch(self.engine.progress(self.last));
            }
            let mut has_moved = false;
            for &block in blocks {
                let outputs = self.engine.runners[block].ports.outputs.clone();
                let waiting = outputs.map(|output| self.engine.network.waiting(output)).max();
                if waiting.unwrap_or(0) <= enough {
                    has_moved |= self.turn(block)?;
                }
            }
            match has_moved {
                true => enough = TURN,
                false if enough < usize::MAX / 2 => enough *= 2,
                false => return Ok(()),
            }
        }
    }

    /// A block goes through as many cycles as it can. `false`: none.
    fn turn(&mut self, block: usize) -> Result<bool, SimulationFault> {
        let start = self.clocks[block];
        if start > self.limit {
            return Ok(false);
        }
        let inputs = self.engine.runners[block].ports.inputs.clone();
        let done = inputs.clone().map(|input| self.writer_clock(block, input)).min();
        let done = done.unwrap_or(NEVER);
        let (mut cycle, mut known) = (start, 0);
        for _ in 0..TURN {
            if known == 0 && cycle > done {
                known = inputs.clone().map(|input| self.known(block, input, cycle)).min().unwrap_or(TURN);
            }
            if known == 0 && cycle > done || cycle > self.limit {
                break;
            }
            known = known.saturating_sub(1);
            self.engine.network.set_cycle(cycle);
            match self.engine.step(block)? {
                Step::Moved => {
                    self.last = self.last.max(cycle);
                    cycle += self.engine.runners[block].interval;
                }
                Step::Ends => {
                    self.last = self.last.max(cycle);
                    cycle = NEVER;
                    break;
                }
                Step::Waits => {
                    let (next, is_there) = self.next_token(block, cycle);
                    cycle = next;
                    if !is_there {
                        break;
                    }
                }
            }
        }
        self.clocks[block] = cycle;
        Ok(cycle != start)
    }

    /// The next cycle of what puts into an input; a root's tokens are there.
    fn writer_clock(&self, block: usize, input: usize) -> u64 {
        let writer = self.engine.network.writer(input);
        if writer == block { NEVER } else { self.clocks[writer] }
    }

    /// For how many steps from a cycle on it is known what an input shows, at least.
    #[inline]
    fn known(&self, block: usize, input: usize, cycle: u64) -> usize {
        let len = self.engine.network.len(input);
        let steps = match self.engine.runners[block].lanes {
            1 => len / LOOKS_AT,
            lanes => len / (LOOKS_AT * lanes),
        };
        if steps == 0 && self.writer_clock(block, input) >= cycle { 1 } else { steps }
    }

    /// The next cycle in which a block that waits may see another token, and whether that token is there; if
    /// it is not, this is the first cycle in which it may be.
    fn next_token(&self, block: usize, cycle: u64) -> (u64, bool) {
        let inputs = self.engine.runners[block].ports.inputs.clone();
        let next = inputs.filter_map(|input| match self.engine.network.seen_from(input) {
            Some(from) => (from > cycle).then_some((from, true)),
            None => Some((self.writer_clock(block, input).saturating_add(1), false)),
        });
        // Where a token may come first that is not there, it must be waited for.
        next.min().unwrap_or((NEVER, false))
    }
}
