//! The reducers that need a single number of memory.

use super::super::fault::Fault;
use super::super::network::Io;
use super::super::token::Token;
use super::{Behaviour, Step, Stepped};
use crate::arithmetic::Combine;
use crate::graph::{EmptyFiber, Reduce};

/// What values become one by.
struct Folding {
    combine: Combine,
    identity: u64,
}

impl Folding {
    fn new(reduce: Reduce) -> Self {
        let identity = reduce.reduction.identity(reduce.element).bits();
        Self { combine: reduce.reduction.on(reduce.element), identity }
    }
}

/// Makes one value of each innermost fiber.
pub(super) struct Reducer {
    empty: EmptyFiber,
    folding: Folding,
    value: u64,
    /// Whether anything has come since the last stop.
    has_come: bool,
    /// The stop of the fibers around, a cycle behind their last sum.
    stop: Option<u64>,
}

impl Reducer {
    pub(super) fn new(reduce: Reduce) -> Self {
        let folding = Folding::new(reduce);
        let value = folding.identity;
        Self { empty: reduce.empty, folding, value, has_come: false, stop: None }
    }

    fn end(&mut self, io: &mut Io<'_>, level: u64) {
        let has_come = std::mem::take(&mut self.has_come);
        let value = Token::Data(std::mem::replace(&mut self.value, self.folding.identity));
        let put = match self.empty {
            _ if has_come => Some(value),
            EmptyFiber::Zero => Some(value),
            EmptyFiber::Token => Some(Token::Empty),
            EmptyFiber::Removed | EmptyFiber::Absent => None,
        };
        let around = level.checked_sub(1);
        match (put, around) {
            (Some(token), _) => {
                io.put(0, token);
                self.stop = around;
            }
            (None, Some(level)) => io.put(0, Token::Stop(level)),
            (None, None) => {}
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
                self.value = (self.folding.combine)(self.value, bits);
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

/// Makes one value of each innermost fiber, of which there is one for each coordinate around: an empty one
/// leaves an empty token. The coordinates tell a fiber in which nothing is from none.
pub(super) struct GuidedReducer {
    folding: Folding,
    value: Option<u64>,
    /// The stop of the coordinates around, a cycle behind their last sum.
    stop: Option<u64>,
}

const VALUES: usize = 0;
const AROUND: usize = 1;

impl GuidedReducer {
    pub(super) fn new(reduce: Reduce) -> Self {
        Self { folding: Folding::new(reduce), value: None, stop: None }
    }

    fn end(&mut self, io: &mut Io<'_>, level: u64) -> Stepped {
        let around = match io.front(AROUND) {
            None => return Ok(Step::Waits),
            Some(around) => around,
        };
        io.take(VALUES);
        io.take(AROUND);
        match around {
            Token::Data(_) => {
                io.put(0, self.value.take().map_or(Token::Empty, Token::Data));
                self.stop = level.checked_sub(1);
            }
            Token::Stop(outer) if Some(outer) == level.checked_sub(1) => io.put(0, around),
            other => {
                return Err(Fault::new(format!(
                    "fibers end with `S{level}`, and the coordinates around with `{other}`"
                )));
            }
        }
        Ok(Step::Moved)
    }

    fn stop(&mut self, io: &mut Io<'_>, level: u64) -> Stepped {
        match io.front(AROUND) {
            None => Ok(Step::Waits),
            Some(Token::Stop(found)) if found == level => {
                io.take(AROUND);
                io.put(0, Token::Stop(level));
                self.stop = None;
                Ok(Step::Moved)
            }
            Some(other) => {
                Err(Fault::new(format!("expected `S{level}` of the coordinates around, found `{other}`")))
            }
        }
    }
}

impl Behaviour for GuidedReducer {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        if let Some(level) = self.stop {
            return self.stop(io, level);
        }
        match io.front(VALUES) {
            None => return Ok(Step::Waits),
            Some(Token::Data(bits)) => {
                let value = self.value.unwrap_or(self.folding.identity);
                self.value = Some((self.folding.combine)(value, bits));
            }
            Some(Token::Empty) => {}
            Some(Token::Stop(level)) => return self.end(io, level),
            Some(Token::Done) => {
                if io.front(AROUND).is_none() {
                    return Ok(Step::Waits);
                }
                io.take(VALUES);
                io.take(AROUND);
                io.put(0, Token::Done);
                return Ok(Step::Ends);
            }
        }
        io.take(VALUES);
        Ok(Step::Moved)
    }
}
