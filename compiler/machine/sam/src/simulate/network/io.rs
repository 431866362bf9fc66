//! What a block sees of the network.

use super::Network;
use crate::simulate::memory::MemoryState;
use crate::simulate::token::Token;
use std::ops::Range;

/// The queues and outputs as one block sees them in one cycle.
pub(in crate::simulate) struct Io<'a> {
    pub(in crate::simulate) network: &'a mut Network,
    pub(in crate::simulate) inputs: usize,
    pub(in crate::simulate) outputs: Range<usize>,
}

impl Io<'_> {
    #[inline]
    pub(in crate::simulate) fn front(&self, input: usize) -> Option<Token> {
        self.network.front(self.inputs + input)
    }

    /// Takes the token that `front` shows.
    #[inline]
    pub(in crate::simulate) fn take(&mut self, input: usize) -> Token {
        self.network.take(self.inputs + input)
    }

    #[inline]
    pub(in crate::simulate) fn take_all(&mut self, inputs: Range<usize>) {
        for input in inputs {
            self.take(input);
        }
    }

    /// The stop of a fiber that is over. One that follows in the stream around ends the fiber there too, and
    /// is taken, since the two are one. `None` while nothing follows.
    pub(in crate::simulate) fn stop_of_fiber(&mut self, around: usize) -> Option<Token> {
        let Token::Stop(level) = self.front(around)? else { return Some(Token::Stop(0)) };
        self.take(around);
        Some(Token::Stop(level + 1))
    }

    /// Puts a token on an output; one a cycle.
    #[inline]
    pub(in crate::simulate) fn put(&mut self, output: usize, token: Token) {
        self.network.put(self.outputs.start + output, token);
    }

    pub(in crate::simulate) fn cycle(&self) -> u64 {
        self.network.cycle
    }

    pub(in crate::simulate) fn memory(&mut self) -> Option<&mut MemoryState> {
        self.network.memory.as_mut()
    }

    pub(in crate::simulate) fn wake_at(&mut self, cycle: u64) {
        let block = self.network.queues[self.inputs].reader as usize;
        self.network.ready.wake_at(cycle, block);
    }

    /// How many tokens of an output wait at the reader that is the furthest behind: when the cycle begins,
    /// and those that were put in it.
    pub(in crate::simulate) fn waiting(&self, output: usize) -> usize {
        let readers = self.network.outputs[self.outputs.start + output].readers.clone();
        let queues = self.network.readers[readers].iter().map(|queue| &self.network.queues[*queue]);
        queues.map(|queue| queue.len_before(self.network.cycle).max(queue.tokens.len())).max().unwrap_or(0)
    }

    pub(in crate::simulate) fn stops(&self) -> u64 {
        let outputs = self.network.outputs[self.outputs.clone()].iter();
        outputs.map(|output| output.counts.stop + output.counts.done).sum()
    }

    pub(in crate::simulate) fn is_bounded(&self) -> bool {
        self.network.is_bounded()
    }

    /// Whether a stage inside of a block, in which so many tokens wait, takes another one: it is as deep as
    /// a queue.
    pub(in crate::simulate) fn has_room(&self, waiting: usize) -> bool {
        waiting <= self.network.depth as usize
    }

    /// Whether what it takes next is the last thing of a fiber, and it puts nothing that would show it.
    pub(in crate::simulate) fn is_at_last(&self) -> bool {
        self.outputs.is_empty() && matches!(self.front(0), Some(Token::Stop(_) | Token::Done))
    }

    pub(in crate::simulate) fn put_all(&mut self, token: Token) {
        for output in self.outputs.clone() {
            self.network.put(output, token);
        }
    }
}
