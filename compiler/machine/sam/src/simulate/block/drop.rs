//! Coordinate droppers.
//!
//! The inner stream passes as it is. Behind the dropper its empty fibers have no outer coordinate any more:
//! a stop that follows another one ends nothing, but is there for a dropper of the level above to count.

use super::{Behaviour, Io, SimulationFault, Step, Stepped, Token, lockstep};
use crate::arithmetic::{Element, TypedValue};
use crate::graph::Dropped;

const OUTER: usize = 0;
const INNER: usize = 1;

pub(super) fn start(what: Dropped) -> Box<dyn Behaviour> {
    match what {
        Dropped::EmptyFibers | Dropped::EmptyFibersOfValues => Box::new(FiberDropper::default()),
        Dropped::Absent => value_dropper(None),
        Dropped::Zeros(element) => value_dropper(Some(element)),
    }
}

/// Leaves out outer coordinates whose inner fiber is empty.
#[derive(Default)]
struct FiberDropper {
    /// Whether the inner fiber has had a coordinate.
    has_come: bool,
    /// The outer stream's stop, a cycle behind its last coordinate.
    stop: Option<Token>,
    /// The coordinate of the inner fiber, taken early where queues are bounded: another one has its room.
    outer: Option<Token>,
}

impl FiberDropper {
    /// An inner fiber has ended, and so has its outer coordinate.
    fn end_fiber(&mut self, io: &mut Io<'_>, level: u64) -> Stepped {
        let Some(outer) = self.outer(io) else { return Ok(Step::Waits) };
        let has_come = std::mem::take(&mut self.has_come);
        match outer {
            Token::Data(_) => {
                if self.outer.take().is_none() {
                    io.take(OUTER);
                }
                if has_come {
                    io.put(OUTER, outer);
                }
            }
            // An outer fiber without a coordinate ends in the cycle of its inner one.
            Token::Stop(outer) if !has_come && level == outer + 1 => {
                io.take(OUTER);
                io.put(OUTER, Token::Stop(outer));
                io.take(INNER);
                io.put(INNER, Token::Stop(level));
                return Ok(Step::Moved);
            }
            other => {
                return Err(fault!("expected the coordinate of an inner fiber, found `{other}`"));
            }
        }
        io.take(INNER);
        io.put(INNER, Token::Stop(level));
        self.stop = level.checked_sub(1).map(Token::Stop);
        Ok(Step::Moved)
    }

    /// The outer stream's own stop stands behind the last coordinate that has been taken.
    fn stop_outer(&mut self, io: &mut Io<'_>, stop: Token) -> Result<bool, SimulationFault> {
        match io.front(OUTER) {
            None => return Ok(false),
            Some(token) if token == stop => {}
            Some(token) => {
                return Err(fault!("expected `{stop}` of the outer stream, found `{token}`"));
            }
        }
        io.take(OUTER);
        io.put(OUTER, stop);
        self.stop = None;
        Ok(true)
    }

    fn outer(&self, io: &Io<'_>) -> Option<Token> {
        self.outer.or_else(|| io.front(OUTER))
    }

    /// Takes a coordinate as soon as it comes. That is no work of a cycle.
    fn hold(&mut self, io: &mut Io<'_>) {
        let holds = io.is_bounded() && self.outer.is_none() && self.stop.is_none();
        if let Some(outer @ Token::Data(_)) = io.front(OUTER).filter(|_| holds) {
            io.take(OUTER);
            self.outer = Some(outer);
        }
    }

    fn pass(&mut self, io: &mut Io<'_>) -> Stepped {
        if let Some(stop) = self.stop {
            // The inner stream waits in that cycle.
            return Ok(if self.stop_outer(io, stop)? { Step::Moved } else { Step::Waits });
        }
        let Some(inner) = io.front(INNER) else { return Ok(Step::Waits) };
        match inner {
            Token::Data(_) => {
                io.take(INNER);
                io.put(INNER, inner);
                self.has_come = true;
            }
            Token::Empty => {
                io.take(INNER);
            }
            Token::Stop(level) => return self.end_fiber(io, level),
            Token::Done => {
                let Some(outer) = self.outer(io) else { return Ok(Step::Waits) };
                if let Token::Data(_) = outer {
                    return Err(fault!("expected the inner fiber of `{outer}`, found `{inner}`"));
                }
                io.take(OUTER);
                io.put(OUTER, outer);
                io.take(INNER);
                io.put(INNER, Token::Done);
                return Ok(Step::Ends);
            }
        }
        Ok(Step::Moved)
    }
}

impl Behaviour for FiberDropper {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        self.hold(io);
        self.pass(io)
    }

    fn lacks(&self, input: usize) -> bool {
        input != OUTER || self.outer.is_none()
    }
}

/// Leaves out coordinates whose value is not there, or is a zero of a type.
fn value_dropper(zeros: Option<Element>) -> Box<dyn Behaviour> {
    lockstep(move |io, [outer, value]| {
        let is_nothing = match value {
            Token::Data(bits) => zeros.is_some_and(|element| TypedValue::from_bits(bits, element).is_zero()),
            Token::Empty => true,
            Token::Stop(_) | Token::Done => false,
        };
        if !is_nothing {
            io.put(OUTER, outer);
            io.put(INNER, value);
        }
        Ok(())
    })
}
