//! Coordinate holds.

use super::{Behaviour, Io, SimulationFault, Step, Stepped, Token};
use std::collections::VecDeque;

const OUTER: usize = 0;
const INNER: usize = 1;

/// Puts the outer coordinate once for each inner one: a repeater behind its signals.
#[derive(Default)]
pub(super) struct Holder {
    /// The inner tokens, a cycle late, as signals are.
    signals: VecDeque<Token>,
    held: Option<Token>,
    inner_has_ended: bool,
}

impl Holder {
    fn pass(&mut self, io: &mut Io<'_>) -> bool {
        let Some(token) = io.front(INNER) else { return false };
        io.take(INNER);
        io.put(INNER, token);
        self.signals.push_back(token);
        self.inner_has_ended |= token == Token::Done;
        true
    }

    /// What becomes of the oldest signal; `None` while the outer stream has not come that far.
    fn outer(&mut self, io: &mut Io<'_>, signal: Token) -> Result<Option<Token>, SimulationFault> {
        if self.held.is_none() && signal != Token::Done {
            match io.front(OUTER) {
                None => return Ok(None),
                Some(token @ Token::Data(_)) => {
                    io.take(OUTER);
                    self.held = Some(token);
                }
                Some(_) => {}
            }
        }
        match (signal, io.front(OUTER)) {
            (Token::Data(_), _) => {
                self.held.map(Some).ok_or_else(|| fault!("expected an outer coordinate to hold, found none"))
            }
            (Token::Empty, _) => Ok(Some(Token::Empty)),
            (Token::Stop(_), _) => {
                let stop = io.stop_of_fiber(OUTER);
                if stop.is_some() {
                    self.held = None;
                }
                Ok(stop)
            }
            (_, None) => Ok(None),
            (Token::Done, Some(_)) => {
                io.take(OUTER);
                Ok(Some(Token::Done))
            }
        }
    }
}

impl Behaviour for Holder {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let oldest = self.signals.front().copied();
        let has_passed = !self.inner_has_ended && io.has_room(self.signals.len()) && self.pass(io);
        let Some(signal) = oldest else {
            return Ok(if has_passed { Step::Moved } else { Step::Waits });
        };
        match self.outer(io, signal)? {
            Some(token) => {
                self.signals.pop_front();
                io.put(OUTER, token);
                Ok(Step::behind(token))
            }
            None => Ok(if has_passed { Step::Moved } else { Step::Waits }),
        }
    }
}
