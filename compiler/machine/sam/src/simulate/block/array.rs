//! Arrays of values.

use super::super::fault::SimulationFault;
use super::super::network::Io;
use super::super::token::Token;
use super::{Behaviour, Step, Stepped};

/// Loads the values that references lead to.
pub(super) struct Loads<'a> {
    pub(super) values: &'a [u64],
}

impl Behaviour for Loads<'_> {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let Some(token) = io.front(0) else { return Ok(Step::Waits) };
        let loaded = match token {
            Token::Data(reference) => {
                let value = usize::try_from(reference).ok().and_then(|place| self.values.get(place));
                let count = self.values.len();
                let missing =
                    || SimulationFault::new(format!("reference {reference} leads to none of {count} values"));
                Token::Data(*value.ok_or_else(missing)?)
            }
            other => other,
        };
        io.take(0);
        io.put(0, loaded);
        Ok(if token == Token::Done { Step::Ends } else { Step::Moved })
    }
}
