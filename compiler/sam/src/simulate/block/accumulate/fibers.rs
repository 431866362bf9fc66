//! Adds up fibers: the coordinates come level by level (sam.txt definition 3.7).

use super::super::super::fault::Fault;
use super::super::super::network::Io;
use super::super::super::token::Token;
use super::super::{Behaviour, Step, Stepped};
use super::emit::Emitter;
use super::sums::Sums;
use crate::graph::{Accumulate, EmptyFiber};

/// Adds up all points inside one fiber of the variable that is reduced.
pub(super) struct Fibers {
    /// How many levels of coordinates come: the innermost at input 0.
    order: usize,
    empty: EmptyFiber,
    /// The coordinate of each level that is open, by input; that of input 0 is not kept.
    open: Vec<Option<u64>>,
    /// The coordinates of the next point, the outermost first.
    path: Vec<u64>,
    sums: Sums,
    emitter: Emitter,
    has_summed_all: bool,
}

impl Fibers {
    pub(super) fn new(accumulate: &Accumulate) -> Self {
        let (order, empty) = (accumulate.order, accumulate.empty);
        Self {
            order,
            empty,
            open: vec![None; order],
            path: Vec::new(),
            sums: Sums::new(accumulate),
            emitter: Emitter::new(order),
            has_summed_all: false,
        }
    }

    /// Takes the outer coordinates of the next inner one. Without them: `false`.
    fn open(&mut self, io: &mut Io<'_>) -> bool {
        for input in 1..self.order {
            if self.open[input].is_some() {
                continue;
            }
            let Some(Token::Data(coordinate)) = io.front(input) else { return false };
            io.take(input);
            self.open[input] = Some(coordinate);
        }
        true
    }

    fn add(&mut self, io: &mut Io<'_>, coordinate: u64, value: u64) -> Result<bool, Fault> {
        if !self.open(io) {
            return Ok(false);
        }
        self.path.clear();
        self.path.extend(self.open[1..].iter().rev().flatten());
        self.path.push(coordinate);
        self.sums.add(&self.path, value);
        Ok(true)
    }

    /// Ends the innermost fiber, and those around it that end with it. `false`: an outer stream is not
    /// there yet.
    fn stop(&mut self, io: &mut Io<'_>, level: u64) -> Result<bool, Fault> {
        for input in 1..self.order {
            let Some(expected) = level.checked_sub(input as u64) else { break };
            match io.front(input) {
                None => return Ok(false),
                Some(Token::Stop(found)) if found == expected => {}
                Some(other) => {
                    return Err(Fault::new(format!(
                        "expected `S{expected}` at input {input}, found `{other}`"
                    )));
                }
            }
        }
        for input in 1..self.order {
            if level + 1 >= input as u64 {
                self.open[input] = None;
            }
            if level >= input as u64 {
                io.take(input);
            }
        }
        if level as usize >= self.order {
            self.give(level);
        }
        Ok(true)
    }

    /// A fiber of the variable that is reduced is over.
    fn give(&mut self, level: u64) {
        let is_left = !self.sums.is_empty() || self.empty != EmptyFiber::Removed;
        self.emitter.points(self.sums.take());
        if is_left || level as usize > self.order {
            self.emitter.end(level - 1);
        }
    }

    fn sum(&mut self, io: &mut Io<'_>) -> Result<bool, Fault> {
        let value = self.order;
        let (Some(crd), Some(token)) = (io.front(0), io.front(value)) else { return Ok(false) };
        let has_summed = match (crd, token) {
            (Token::Data(coordinate), Token::Data(bits)) => self.add(io, coordinate, bits)?,
            (Token::Data(_), Token::Empty) => true,
            (Token::Stop(level), Token::Stop(_)) => self.stop(io, level)?,
            (Token::Done, Token::Done) => {
                self.emitter.done();
                self.has_summed_all = true;
                true
            }
            (crd, value) => return Err(Fault::new(format!("coordinate `{crd}` has value `{value}`"))),
        };
        if has_summed {
            io.take(0);
            io.take(value);
        }
        Ok(has_summed)
    }
}

impl Behaviour for Fibers {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let emitted = self.emitter.emit(io);
        if emitted == Step::Ends || self.has_summed_all {
            return Ok(emitted);
        }
        Ok(if self.sum(io)? { Step::Moved } else { emitted })
    }
}
