//! The queues between blocks.

use super::token::{Counts, Token};
use std::collections::VecDeque;

/// No cycle: they begin at 1.
const NEVER: u64 = 0;

/// A queue from an output to one of its readers. A writer puts at most one token a cycle, so that of those
/// in the queue only the last can be of the cycle that runs; its reader sees it in the next one.
#[derive(Debug)]
pub(super) struct Queue {
    tokens: VecDeque<Token>,
    last_put: u64,
    last_take: u64,
    pub(super) writer: usize,
    pub(super) reader: usize,
}

/// An output of a block.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) counts: Counts,
    queues: Vec<usize>,
}

/// All queues and outputs.
#[derive(Debug)]
pub(super) struct Network {
    pub(super) queues: Vec<Queue>,
    pub(super) outputs: Vec<Output>,
    /// How many tokens wait in a queue at most, besides the one that its writer has put last.
    depth: usize,
    cycle: u64,
    /// The blocks that are to step in the next cycle, and which blocks these are.
    next: Vec<usize>,
    is_next: Vec<bool>,
}

impl Network {
    pub(super) fn new(blocks: usize, depth: usize) -> Self {
        let (next, is_next) = ((0..blocks).collect(), vec![true; blocks]);
        Self { queues: Vec::new(), outputs: Vec::new(), depth, cycle: NEVER, next, is_next }
    }

    pub(super) fn add_output(&mut self) -> usize {
        self.outputs.push(Output::default());
        self.outputs.len() - 1
    }

    /// A queue without a writer of its own: a root's stream is there from the start.
    pub(super) fn add_root(&mut self, reader: usize) -> usize {
        self.add(VecDeque::from([Token::Data(0), Token::Done]), reader, reader)
    }

    pub(super) fn add_queue(&mut self, output: usize, writer: usize, reader: usize) -> usize {
        let queue = self.add(VecDeque::new(), writer, reader);
        self.outputs[output].queues.push(queue);
        queue
    }

    fn add(&mut self, tokens: VecDeque<Token>, writer: usize, reader: usize) -> usize {
        self.queues.push(Queue { tokens, last_put: NEVER, last_take: NEVER, writer, reader });
        self.queues.len() - 1
    }

    pub(super) fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Begins a cycle: the result are the blocks that are to step in it, in place of `done`, those of the
    /// last one. There are none when all blocks wait.
    pub(super) fn begin_cycle(&mut self, mut done: Vec<usize>) -> Vec<usize> {
        done.clear();
        let ready = std::mem::replace(&mut self.next, done);
        ready.iter().for_each(|&block| self.is_next[block] = false);
        self.cycle += 1;
        ready
    }

    /// Lets a block step in the next cycle.
    pub(super) fn wake(&mut self, block: usize) {
        if !std::mem::replace(&mut self.is_next[block], true) {
            self.next.push(block);
        }
    }

    /// Whether what an output has got last has found no room at a reader when the cycle began.
    pub(super) fn is_blocked(&self, output: usize) -> bool {
        self.depth != usize::MAX && self.full(output).next().is_some()
    }

    /// The readers that an output waits for.
    pub(super) fn full_readers(&self, output: usize) -> impl Iterator<Item = usize> {
        self.full(output).map(|queue| queue.reader)
    }

    fn full(&self, output: usize) -> impl Iterator<Item = &Queue> {
        let queues = self.outputs[output].queues.iter().map(|&queue| &self.queues[queue]);
        // Whether the reader has stepped in this cycle already makes no difference.
        queues.filter(|queue| queue.tokens.len() + usize::from(queue.last_take == self.cycle) > self.depth)
    }

    pub(super) fn front(&self, queue: usize) -> Option<Token> {
        let queue = &self.queues[queue];
        let front = queue.tokens.front().copied();
        front.filter(|_| queue.last_put != self.cycle || queue.tokens.len() > 1)
    }

    fn take(&mut self, number: usize) -> Token {
        let queue = &mut self.queues[number];
        let token = queue.tokens.pop_front().expect("a block takes what it has seen");
        queue.last_take = self.cycle;
        if self.depth != usize::MAX {
            let writer = queue.writer;
            self.wake(writer);
        }
        token
    }

    fn put(&mut self, number: usize, token: Token) {
        let output = &mut self.outputs[number];
        output.counts.add(token);
        for &queue in &output.queues {
            let queue = &mut self.queues[queue];
            debug_assert!(queue.last_put != self.cycle, "a block puts one token a cycle on an output");
            queue.tokens.push_back(token);
            queue.last_put = self.cycle;
            if !std::mem::replace(&mut self.is_next[queue.reader], true) {
                self.next.push(queue.reader);
            }
        }
    }
}

/// The queues and outputs as one block sees them in one cycle.
pub(super) struct Io<'a> {
    pub(super) network: &'a mut Network,
    pub(super) inputs: &'a [usize],
    pub(super) outputs: &'a [usize],
}

impl Io<'_> {
    /// The next token of an input, if it has come.
    pub(super) fn front(&self, input: usize) -> Option<Token> {
        self.network.front(self.inputs[input])
    }

    /// Takes the token that `front` shows.
    pub(super) fn take(&mut self, input: usize) -> Token {
        self.network.take(self.inputs[input])
    }

    /// The stop of a fiber that is over. One that follows in the stream around ends the fiber there too, and
    /// is taken, since the two are one. `None` while nothing follows.
    pub(super) fn stop_of_fiber(&mut self, around: usize) -> Option<Token> {
        let Token::Stop(level) = self.front(around)? else { return Some(Token::Stop(0)) };
        self.take(around);
        Some(Token::Stop(level + 1))
    }

    /// Puts a token on an output; one a cycle.
    pub(super) fn put(&mut self, output: usize, token: Token) {
        self.network.put(self.outputs[output], token);
    }

    /// Puts the same token on all outputs.
    pub(super) fn put_all(&mut self, token: Token) {
        for &output in self.outputs {
            self.network.put(output, token);
        }
    }
}
