//! Adds up points whose coordinates come one of each for every value.

use super::super::{Behaviour, Io, SimulationFault, Step, Stepped, Token};
use super::emit::Emitter;
use super::sums::Sums;
use crate::graph::Accumulate;
use std::collections::VecDeque;

/// Adds up points that agree in all coordinates, as long as the outer ones stay as they are.
///
/// Points go through two stages, a cycle each: stops are left out; values are added up, and points become
/// streams again.
pub(in super::super) struct PointAccumulator {
    indices: usize,
    /// How many coordinates, from the outermost one on, give away the points when they change.
    outer: usize,
    /// The coordinates of a point, the outermost last, and its value, without stops.
    arrived: Vec<VecDeque<Token>>,
    has_ended: Vec<bool>,
    path: Vec<u64>,
    sums: Sums,
    has_summed_all: bool,
    emitter: Emitter,
}

impl PointAccumulator {
    pub(in super::super) fn new(accumulate: &Accumulate) -> Self {
        let indices = accumulate.indices.len();
        Self {
            indices,
            outer: indices.saturating_sub(accumulate.order),
            arrived: vec![VecDeque::new(); indices + 1],
            has_ended: vec![false; indices + 1],
            path: Vec::new(),
            sums: Sums::new(accumulate),
            has_summed_all: false,
            emitter: Emitter::new(indices),
        }
    }

    /// Takes a token of each input that has one, and keeps it unless it is a stop.
    fn arrive(&mut self, io: &mut Io<'_>) -> bool {
        let mut has_moved = false;
        for input in 0..self.arrived.len() {
            if self.has_ended[input] || !io.has_room(self.arrived[input].len()) {
                continue;
            }
            if let Some(token) = io.front(input) {
                io.take(input);
                has_moved = true;
                self.has_ended[input] = token == Token::Done;
                if !matches!(token, Token::Stop(_)) {
                    self.arrived[input].push_back(token);
                }
            }
        }
        has_moved
    }

    fn sum(&mut self) -> Result<bool, SimulationFault> {
        if self.has_summed_all || self.arrived.iter().any(VecDeque::is_empty) {
            return Ok(false);
        }
        let value = self.arrived[self.indices].pop_front();
        self.path.clear();
        for arrived in self.arrived[..self.indices].iter_mut().rev() {
            match (arrived.pop_front(), value) {
                (Some(Token::Data(coordinate)), _) => self.path.push(coordinate),
                (Some(other), Some(Token::Data(_))) => {
                    return Err(fault!("expected the coordinate of a value, found `{other}`"));
                }
                _ => {}
            }
        }
        match value {
            Some(Token::Data(bits)) => {
                self.give_unless_below();
                self.sums.add(&self.path, bits);
            }
            Some(Token::Done) => {
                self.emitter.points(self.sums.take());
                self.emitter.end(self.indices.saturating_sub(1) as u64);
                self.emitter.done();
                self.has_summed_all = true;
            }
            _ => {}
        }
        Ok(true)
    }

    fn give_unless_below(&mut self) {
        let outer = self.outer;
        if self.sums.any().is_some_and(|point| point[..outer] != self.path[..outer]) {
            self.emitter.points(self.sums.take());
        }
    }
}

impl Behaviour for PointAccumulator {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        // Points that are given away become streams in the same cycle; what arrives is added up in the next.
        let has_summed = io.has_room(self.emitter.behind()) && self.sum()?;
        let emitted = self.emitter.emit(io);
        if emitted == Step::Ends {
            return Ok(Step::Ends);
        }
        let has_arrived = self.arrive(io);
        Ok(if has_summed || has_arrived { Step::Moved } else { emitted })
    }
}
