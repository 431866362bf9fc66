//! The reducers that need a single number of memory.

use super::{Behaviour, Io, SimulationFault, Step, Stepped, Token};
use crate::arithmetic::Combine;
use crate::graph::{EmptyFiber, Reduce};

struct Folding {
    combine: Combine,
    /// What has come of each stream of values. They become one in their order, whenever they have come.
    parts: Vec<Option<u64>>,
}

enum Came {
    Nothing,
    Values,
    /// All streams are at this stop, or at their ends.
    End(Token),
}

impl Folding {
    fn new(reduce: Reduce) -> Self {
        Self { combine: Combine::new(reduce.reduction, reduce.element), parts: vec![None; reduce.inputs] }
    }

    /// Takes the values that have come, one of each stream.
    #[inline]
    fn fold(&mut self, io: &mut Io<'_>) -> Result<Came, SimulationFault> {
        if self.parts.len() > 1 {
            return self.fold_all(io);
        }
        match io.front(0) {
            None => Ok(Came::Nothing),
            Some(end @ (Token::Stop(_) | Token::Done)) => Ok(Came::End(end)),
            Some(token) => {
                self.fold_token(io, 0, token);
                Ok(Came::Values)
            }
        }
    }

    fn fold_all(&mut self, io: &mut Io<'_>) -> Result<Came, SimulationFault> {
        let mut ends = Vec::new();
        let mut has_come = false;
        for input in 0..self.parts.len() {
            match io.front(input) {
                None => {}
                Some(end @ (Token::Stop(_) | Token::Done)) => ends.push(end),
                Some(token) => {
                    self.fold_token(io, input, token);
                    has_come = true;
                }
            }
        }
        match ends.first() {
            Some(end) if ends.iter().any(|other| other != end) => Err(apart(&ends)),
            Some(end) if ends.len() == self.parts.len() => Ok(Came::End(*end)),
            _ if has_come => Ok(Came::Values),
            _ => Ok(Came::Nothing),
        }
    }

    /// Takes a value, or an empty token, which is passed over.
    #[inline]
    fn fold_token(&mut self, io: &mut Io<'_>, input: usize, token: Token) {
        io.take(input);
        if let Token::Data(bits) = token {
            let part = &mut self.parts[input];
            *part = Some(self.combine.add(part.unwrap_or(self.combine.identity()), bits));
        }
    }

    /// What has come of all streams, if anything has; nothing is left.
    fn take(&mut self) -> Option<u64> {
        self.parts.iter_mut().filter_map(Option::take).reduce(|all, part| self.combine.add(all, part))
    }

    /// Takes the stop that all streams are at.
    fn take_end(&self, io: &mut Io<'_>) {
        io.take_all(0..self.parts.len());
    }
}

/// Streams that come in side by side do not end their fibers together.
pub(super) fn apart(ends: &[Token]) -> SimulationFault {
    let ends: Vec<String> = ends.iter().map(|end| format!("`{end}`")).collect();
    fault!("the streams end with {} at the same place", ends.join(" and "))
}

/// Makes one value of each innermost fiber.
pub(super) struct Reducer {
    empty: EmptyFiber,
    folding: Folding,
    /// The stop of the fibers around, a cycle behind their last sum.
    stop: Option<u64>,
}

impl Reducer {
    pub(super) fn new(reduce: Reduce) -> Self {
        Self { empty: reduce.empty, folding: Folding::new(reduce), stop: None }
    }

    fn end(&mut self, io: &mut Io<'_>, level: u64) {
        let put = match (self.folding.take(), self.empty) {
            (Some(value), _) => Some(Token::Data(value)),
            (None, EmptyFiber::Zero) => Some(Token::Data(self.folding.combine.identity())),
            (None, EmptyFiber::Token) => Some(Token::Empty),
            (None, EmptyFiber::Removed | EmptyFiber::Absent) => None,
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
        match self.folding.fold(io)? {
            Came::Nothing => return Ok(Step::Waits),
            Came::Values => {}
            Came::End(end) => {
                self.folding.take_end(io);
                if let Token::Stop(level) = end {
                    self.end(io, level);
                } else {
                    io.put(0, Token::Done);
                    return Ok(Step::Ends);
                }
            }
        }
        Ok(Step::Moved)
    }
}

/// Makes one value of each innermost fiber, of which there is one for each coordinate around: an empty one
/// leaves an empty token. The coordinates distinguish an empty fiber from none.
pub(super) struct GuidedReducer {
    folding: Folding,
    /// The stop of the coordinates around, a cycle behind their last sum.
    stop: Option<u64>,
    around: usize,
}

impl GuidedReducer {
    pub(super) fn new(reduce: Reduce) -> Self {
        Self { folding: Folding::new(reduce), stop: None, around: reduce.inputs }
    }

    fn end(&mut self, io: &mut Io<'_>, level: u64) -> Stepped {
        let Some(around) = io.front(self.around) else { return Ok(Step::Waits) };
        self.folding.take_end(io);
        io.take(self.around);
        match around {
            Token::Data(_) => {
                io.put(0, self.folding.take().map_or(Token::Empty, Token::Data));
                self.stop = level.checked_sub(1);
            }
            Token::Stop(outer) if Some(outer) == level.checked_sub(1) => io.put(0, around),
            other => {
                return Err(fault!("fibers end with `S{level}`, and the coordinates around with `{other}`"));
            }
        }
        Ok(Step::Moved)
    }

    fn stop(&mut self, io: &mut Io<'_>, level: u64) -> Stepped {
        match io.front(self.around) {
            None => Ok(Step::Waits),
            Some(Token::Stop(found)) if found == level => {
                io.take(self.around);
                io.put(0, Token::Stop(level));
                self.stop = None;
                Ok(Step::Moved)
            }
            Some(other) => Err(fault!("expected `S{level}` of the coordinates around, found `{other}`")),
        }
    }
}

impl Behaviour for GuidedReducer {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        if let Some(level) = self.stop {
            return self.stop(io, level);
        }
        match self.folding.fold(io)? {
            Came::Nothing => Ok(Step::Waits),
            Came::Values => Ok(Step::Moved),
            Came::End(Token::Stop(level)) => self.end(io, level),
            Came::End(_) => {
                if io.front(self.around).is_none() {
                    return Ok(Step::Waits);
                }
                self.folding.take_end(io);
                io.take(self.around);
                io.put(0, Token::Done);
                Ok(Step::Ends)
            }
        }
    }
}
