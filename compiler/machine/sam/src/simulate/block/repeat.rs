//! Repeaters and their signals.

use super::{Behaviour, EmptyCoordinates, Io, Step, Stepped, Token, lockstep};

const REFERENCES: usize = 0;
const SIGNALS: usize = 1;

/// Puts one signal for each coordinate; stops go on as they are.
pub(super) fn signals(empty_coordinates: EmptyCoordinates) -> Box<dyn Behaviour> {
    lockstep(move |io, [token]| {
        match token {
            Token::Empty if empty_coordinates == EmptyCoordinates::Dropped => {}
            Token::Data(_) | Token::Empty => io.put(0, Token::Data(0)),
            Token::Stop(_) | Token::Done => io.put(0, token),
        }
        Ok(())
    })
}

/// Puts a reference once for each signal, until a stop comes.
#[derive(Default)]
pub(super) struct Repeater {
    held: Option<Token>,
}

impl Repeater {
    /// Takes the next reference, if none is held; stops are none.
    fn hold(&mut self, io: &mut Io<'_>) {
        if self.held.is_none()
            && let Some(token @ (Token::Data(_) | Token::Empty)) = io.front(REFERENCES)
        {
            io.take(REFERENCES);
            self.held = Some(token);
        }
    }

    fn repeat(&mut self, io: &mut Io<'_>) -> Stepped {
        let Some(held) = self.held else {
            return match io.front(REFERENCES) {
                None => Ok(Step::Waits),
                Some(token) => Err(fault!("expected a reference to repeat, found `{token}`")),
            };
        };
        io.take(SIGNALS);
        io.put(0, held);
        Ok(Step::Moved)
    }

    /// The stop's level follows from the references, since theirs are one level up.
    fn stop(&mut self, io: &mut Io<'_>) -> Step {
        let Some(stop) = io.stop_of_fiber(REFERENCES) else { return Step::Waits };
        self.held = None;
        io.take(SIGNALS);
        io.put(0, stop);
        Step::Moved
    }
}

impl Behaviour for Repeater {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let Some(signal) = io.front(SIGNALS) else { return Ok(Step::Waits) };
        if signal != Token::Done {
            self.hold(io);
        }
        match (signal, io.front(REFERENCES)) {
            (Token::Data(_), _) => self.repeat(io),
            (Token::Stop(_), _) => Ok(self.stop(io)),
            (Token::Empty, _) => Err(fault!("expected a signal to repeat, found an empty token")),
            (Token::Done, None) => Ok(Step::Waits),
            (Token::Done, Some(Token::Done)) => {
                io.take(SIGNALS);
                io.take(REFERENCES);
                io.put(0, Token::Done);
                Ok(Step::Ends)
            }
            (Token::Done, Some(token)) => {
                Err(fault!("the signals to repeat are over, and the references go on with `{token}`"))
            }
        }
    }
}
