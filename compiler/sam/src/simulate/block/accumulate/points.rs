//! Adds up points whose coordinates come one of each for every value.

use super::super::super::fault::Fault;
use super::super::super::network::Io;
use super::super::super::token::Token;
use super::super::{Behaviour, Step, Stepped};
use super::emit::Emitter;
use super::{Path, Sums};
use crate::arithmetic::Combine;
use crate::graph::Accumulate;
use std::collections::VecDeque;

/// Adds up points that agree in all coordinates, as long as the outer ones stay as they are.
///
/// Points go through three stages, a cycle each: stops are left out, values are added up, points become
/// streams again.
pub(super) struct Points {
    /// How many coordinates, from the outermost one on, give away the points when they change.
    outer: usize,
    /// The coordinates of a point, the outermost last, and its value, without stops.
    arrived: Vec<VecDeque<Token>>,
    has_ended: Vec<bool>,
    combine: Combine,
    identity: u64,
    sums: Sums,
    has_summed_all: bool,
    emitter: Emitter,
}

impl Points {
    pub(super) fn new(accumulate: &Accumulate) -> Self {
        let indices = accumulate.indices.len();
        Self {
            outer: indices.saturating_sub(accumulate.order),
            arrived: vec![VecDeque::new(); indices + 1],
            has_ended: vec![false; indices + 1],
            combine: accumulate.reduction.on(accumulate.element),
            identity: accumulate.reduction.identity(accumulate.element).bits(),
            sums: Sums::new(),
            has_summed_all: false,
            emitter: Emitter::new(indices),
        }
    }

    /// Takes a token of each input that has one, and keeps it unless it is a stop.
    fn arrive(&mut self, io: &mut Io<'_>) -> bool {
        let mut has_moved = false;
        for input in 0..self.arrived.len() {
            if self.has_ended[input] {
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

    fn sum(&mut self) -> Result<bool, Fault> {
        if self.has_summed_all || self.arrived.iter().any(VecDeque::is_empty) {
            return Ok(false);
        }
        let mut tokens: Vec<Token> = self.arrived.iter_mut().filter_map(VecDeque::pop_front).collect();
        match tokens.pop() {
            Some(Token::Data(bits)) => {
                let path = path(&tokens)?;
                self.give_unless_below(&path);
                let sum = self.sums.entry(path).or_insert(self.identity);
                *sum = (self.combine)(*sum, bits);
            }
            Some(Token::Done) => {
                self.emitter.points(&mut self.sums);
                self.emitter.end(tokens.len().saturating_sub(1) as u32);
                self.emitter.done();
                self.has_summed_all = true;
            }
            _ => {}
        }
        Ok(true)
    }

    fn give_unless_below(&mut self, path: &[u64]) {
        let outer = self.outer;
        if self.sums.first_key_value().is_some_and(|(first, _)| first[..outer] != path[..outer]) {
            self.emitter.points(&mut self.sums);
        }
    }
}

fn path(tokens: &[Token]) -> Result<Path, Fault> {
    let coordinate = |token: &Token| match token {
        Token::Data(coordinate) => Ok(*coordinate),
        other => Err(Fault::new(format!("expected the coordinate of a value, found `{other}`"))),
    };
    tokens.iter().rev().map(coordinate).collect()
}

impl Behaviour for Points {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        // The last stage first: what a stage gets in this cycle it has in the next one.
        let emitted = self.emitter.emit(io);
        if emitted == Step::Ends {
            return Ok(Step::Ends);
        }
        let has_summed = self.sum()?;
        let has_arrived = self.arrive(io);
        Ok(if has_summed || has_arrived { Step::Moved } else { emitted })
    }
}
