//! The queues between blocks.

use super::token::{Counts, Token};
use std::collections::VecDeque;

/// A queue from an output to one of its readers.
#[derive(Debug)]
pub(super) struct Queue {
    tokens: VecDeque<Token>,
    /// What its writer has put in this cycle; it is delivered at the next one's start, if there is room.
    arriving: Option<Token>,
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
    /// How many tokens wait in a queue at most.
    depth: usize,
    /// The queues to look at when the next cycle begins.
    arrivals: Vec<usize>,
}

impl Network {
    pub(super) fn new(depth: usize) -> Self {
        Self { queues: Vec::new(), outputs: Vec::new(), depth, arrivals: Vec::new() }
    }

    pub(super) fn add_output(&mut self) -> usize {
        self.outputs.push(Output::default());
        self.outputs.len() - 1
    }

    /// A queue without a writer of its own: a root's stream is there from the start.
    pub(super) fn add_root(&mut self, reader: usize) -> usize {
        let tokens = VecDeque::from([Token::Data(0), Token::Done]);
        self.queues.push(Queue { tokens, arriving: None, writer: reader, reader });
        self.queues.len() - 1
    }

    pub(super) fn add_queue(&mut self, output: usize, writer: usize, reader: usize) -> usize {
        self.queues.push(Queue { tokens: VecDeque::new(), arriving: None, writer, reader });
        self.outputs[output].queues.push(self.queues.len() - 1);
        self.queues.len() - 1
    }

    pub(super) fn is_moving(&self) -> bool {
        !self.arrivals.is_empty()
    }

    /// Delivers what was put in the last cycle, and calls for each queue that has got a token.
    pub(super) fn deliver(&mut self, mut delivered: impl FnMut(&Queue)) {
        let mut arrivals = std::mem::take(&mut self.arrivals);
        for &number in &arrivals {
            let queue = &mut self.queues[number];
            if queue.tokens.len() < self.depth
                && let Some(token) = queue.arriving.take()
            {
                queue.tokens.push_back(token);
                delivered(queue);
            }
        }
        arrivals.clear();
        self.arrivals = arrivals;
    }

    /// Whether the readers of an output have no room for what was put into it last.
    pub(super) fn is_blocked(&self, output: usize) -> bool {
        self.outputs[output].queues.iter().any(|&queue| self.queues[queue].arriving.is_some())
    }

    /// The readers that an output waits for.
    pub(super) fn full_readers(&self, output: usize) -> impl Iterator<Item = usize> {
        let full = self.outputs[output].queues.iter().filter(|&&queue| self.queues[queue].arriving.is_some());
        full.map(|&queue| self.queues[queue].reader)
    }

    pub(super) fn front(&self, queue: usize) -> Option<Token> {
        self.queues[queue].tokens.front().copied()
    }

    fn take(&mut self, number: usize) {
        let queue = &mut self.queues[number];
        queue.tokens.pop_front().expect("a block takes what it has seen");
        if queue.arriving.is_some() {
            self.arrivals.push(number);
        }
    }

    fn put(&mut self, output: usize, token: Token) {
        let output = &mut self.outputs[output];
        output.counts.add(token);
        for &number in &output.queues {
            let before = self.queues[number].arriving.replace(token);
            debug_assert!(before.is_none(), "a block puts one token a cycle on an output");
            self.arrivals.push(number);
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
    pub(super) fn take(&mut self, input: usize) {
        self.network.take(self.inputs[input]);
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
