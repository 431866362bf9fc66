//! Points to streams.

use super::super::super::network::Io;
use super::super::super::token::Token;
use super::super::Step;
use super::{Path, Sums};
use std::collections::VecDeque;

/// What is still to be put.
enum Event {
    Point(Path, u64),
    /// The fiber around the points is over, with a stop of this level at the innermost coordinates.
    End(u32),
    Done,
}

/// Puts points as streams of levels, one innermost coordinate or stop a cycle.
pub(super) struct Emitter {
    events: VecDeque<Event>,
    /// The coordinates of the fibers that are open.
    open: Path,
    indices: usize,
}

impl Emitter {
    pub(super) fn new(indices: usize) -> Self {
        Self { events: VecDeque::new(), open: Path::new(), indices }
    }

    /// These points come next.
    pub(super) fn points(&mut self, sums: &mut Sums) {
        self.events.extend(std::mem::take(sums).into_iter().map(|(path, value)| Event::Point(path, value)));
    }

    pub(super) fn end(&mut self, level: u32) {
        self.events.push_back(Event::End(level));
    }

    pub(super) fn done(&mut self) {
        self.events.push_back(Event::Done);
    }

    pub(super) fn emit(&mut self, io: &mut Io<'_>) -> Step {
        match self.events.pop_front() {
            None => return Step::Waits,
            Some(Event::Point(path, value)) => self.point(io, path, value),
            Some(Event::End(level)) => {
                self.open.clear();
                self.stop_below(io, 0, level);
            }
            Some(Event::Done) => {
                io.put_all(Token::Done);
                return Step::Ends;
            }
        }
        Step::Moved
    }

    fn point(&mut self, io: &mut Io<'_>, path: Path, value: u64) {
        let common = self.open.iter().zip(&path).take_while(|(a, b)| a == b).count();
        if self.open.len() == self.indices && common + 1 < self.indices {
            self.open.truncate(common);
            self.stop_below(io, common + 1, (self.indices - common - 2) as u32);
            self.events.push_front(Event::Point(path, value));
            return;
        }
        for (depth, coordinate) in path.iter().enumerate().skip(common) {
            io.put(self.indices - 1 - depth, Token::Data(*coordinate));
        }
        io.put(self.indices, Token::Data(value));
        self.open = path;
    }

    /// Ends the fibers of the variables from `depth` on; the innermost with a stop of this level.
    fn stop_below(&self, io: &mut Io<'_>, depth: usize, level: u32) {
        for output in 0..self.indices - depth {
            io.put(output, Token::Stop(level - output as u32));
        }
        io.put(self.indices, Token::Stop(level));
    }
}
