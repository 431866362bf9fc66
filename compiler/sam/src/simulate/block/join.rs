//! Intersecters and unioners.

use super::super::fault::Fault;
use super::super::network::Io;
use super::super::token::Token;
use super::{Behaviour, Step, Stepped};
use crate::graph::{How, Join, Port};
use std::cmp::Ordering;

/// A coordinate and its reference.
type Pair = (Token, Token);

/// Merges the fibers of its operands. It holds the next pair of each, and goes on when behind those of all
/// operands another one has come.
pub(super) struct Joiner {
    how: How,
    operands: usize,
    /// Empty before the first pairs have come.
    held: Vec<Pair>,
}

impl Joiner {
    pub(super) fn new(join: &Join) -> Self {
        Self { how: join.how, operands: join.operands.len(), held: Vec::new() }
    }

    fn has_come(&self, io: &Io<'_>) -> bool {
        (0..2 * self.operands).all(|input| io.front(input).is_some())
    }

    fn next(io: &mut Io<'_>, operand: usize) -> Pair {
        let inputs = [Port::operand_crd(operand).0, Port::operand_ref(operand).0];
        let [crd, reference] = inputs.map(|input| io.front(input).expect("the joiner has looked"));
        inputs.into_iter().for_each(|input| io.take(input));
        (crd, reference)
    }

    /// The operands whose coordinate is there at `place`.
    fn advance(&mut self, io: &mut Io<'_>, mut is_taken: impl FnMut(Token) -> bool) {
        for operand in 0..self.operands {
            if is_taken(self.held[operand].0) {
                self.held[operand] = Self::next(io, operand);
            }
        }
    }

    /// All operands are at the same place.
    fn put_all(&mut self, io: &mut Io<'_>, place: Token) {
        io.put(0, place);
        for (operand, held) in self.held.iter().enumerate() {
            let token = if matches!(place, Token::Data(_)) { held.1 } else { place };
            io.put(Port::joined_ref(operand).0, token);
        }
    }

    fn intersect(&mut self, io: &mut Io<'_>) -> Step {
        let last = self.held.iter().map(|held| held.0).max_by(compare).expect("a joiner has operands");
        if self.held.iter().all(|held| held.0 == last) {
            self.put_all(io, last);
            self.advance(io, |_| true);
        } else {
            self.advance(io, |token| compare(&token, &last) == Ordering::Less);
        }
        Step::Moved
    }

    fn unite(&mut self, io: &mut Io<'_>) -> Step {
        let first = self.held.iter().map(|held| held.0).min_by(compare).expect("a joiner has operands");
        match first {
            Token::Empty => {}
            Token::Data(_) => {
                io.put(0, first);
                for (operand, held) in self.held.iter().enumerate() {
                    let token = if held.0 == first { held.1 } else { Token::Empty };
                    io.put(Port::joined_ref(operand).0, token);
                }
            }
            Token::Stop(_) | Token::Done => self.put_all(io, first),
        }
        self.advance(io, |token| token == first);
        Step::Moved
    }

    /// Stops of all operands end the same fibers.
    fn check_stops(&self) -> Result<(), Fault> {
        let is_end = |held: &&Pair| matches!(held.0, Token::Stop(_) | Token::Done);
        let mut ends = self.held.iter().filter(is_end).map(|held| held.0);
        let Some(first) = ends.next() else { return Ok(()) };
        match ends.find(|end| *end != first) {
            None => Ok(()),
            Some(other) => {
                Err(Fault::new(format!("the operands end with {first:?} and {other:?} at the same place")))
            }
        }
    }
}

impl Behaviour for Joiner {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        if self.held.iter().any(|held| held.0 == Token::Done) {
            self.check_stops()?;
            if self.held.iter().all(|held| held.0 == Token::Done) {
                io.put_all(Token::Done);
                return Ok(Step::Ends);
            }
        }
        if !self.has_come(io) {
            return Ok(Step::Waits);
        }
        if self.held.is_empty() {
            self.held = (0..self.operands).map(|operand| Self::next(io, operand)).collect();
            return Ok(Step::Moved);
        }
        self.check_stops()?;
        Ok(match self.how {
            How::Intersect => self.intersect(io),
            How::Union => self.unite(io),
        })
    }
}

/// An operand that has nothing comes first, then coordinates, and the end of the fiber last.
fn compare(a: &Token, b: &Token) -> Ordering {
    let key = |token: &Token| match *token {
        Token::Empty => (0, 0),
        Token::Data(coordinate) => (1, coordinate),
        Token::Stop(level) => (2, u64::from(level)),
        Token::Done => (3, 0),
    };
    key(a).cmp(&key(b))
}
