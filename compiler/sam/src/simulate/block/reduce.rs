//! The reducer that needs a single number of memory.

use super::super::network::Io;
use super::super::token::Token;
use super::{Behaviour, Step, Stepped};
use crate::graph::EmptyFiber;

/// Adds up each innermost fiber.
pub(super) struct Reducer {
    empty: EmptyFiber,
    sum: f64,
    /// Whether anything has come since the last stop.
    has_come: bool,
    /// The stop of the fibers around, a cycle behind their last sum.
    stop: Option<u32>,
}

impl Reducer {
    pub(super) fn new(empty: EmptyFiber) -> Self {
        Self { empty, sum: 0.0, has_come: false, stop: None }
    }

    fn end(&mut self, io: &mut Io<'_>, level: u32) {
        let is_put = std::mem::take(&mut self.has_come) || self.empty == EmptyFiber::Zero;
        let sum = std::mem::take(&mut self.sum);
        let around = level.checked_sub(1);
        match (is_put, around) {
            (true, _) => {
                io.put(0, Token::value(sum));
                self.stop = around;
            }
            (false, Some(level)) => io.put(0, Token::Stop(level)),
            (false, None) => {}
        }
    }
}

impl Behaviour for Reducer {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        if let Some(level) = self.stop.take() {
            io.put(0, Token::Stop(level));
            return Ok(Step::Moved);
        }
        let Some(token) = io.front(0) else { return Ok(Step::Waits) };
        io.take(0);
        match token {
            Token::Data(bits) => {
                self.sum += f64::from_bits(bits);
                self.has_come = true;
            }
            Token::Empty => {}
            Token::Stop(level) => self.end(io, level),
            Token::Done => {
                io.put(0, Token::Done);
                return Ok(Step::Ends);
            }
        }
        Ok(Step::Moved)
    }
}
