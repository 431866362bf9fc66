//! Masks.

use super::super::fault::SimulationFault;
use super::super::network::Io;
use super::super::token::Token;
use super::{Behaviour, Step, Stepped};
use crate::arithmetic::Value;
use crate::graph::{self, Kept};

const VALUES: usize = 0;
const MASK: usize = 1;

/// Lets a value through, or puts an empty token for it.
pub(super) struct Mask(pub(super) graph::Mask);

impl Mask {
    fn keeps(&self, mask: Token) -> bool {
        let is_stored = mask != Token::Empty;
        let is_zero = match mask {
            Token::Data(bits) => Value::from_bits(bits, self.0.element).is_zero(),
            _ => true,
        };
        match self.0.kept {
            Kept::Stored => is_stored,
            Kept::NotStored => !is_stored,
            Kept::NotZero => !is_zero,
            Kept::Zero => is_zero,
        }
    }
}

impl Behaviour for Mask {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let (Some(value), Some(mask)) = (io.front(VALUES), io.front(MASK)) else { return Ok(Step::Waits) };
        let token = match (value, mask) {
            (Token::Data(_) | Token::Empty, Token::Data(_) | Token::Empty) => {
                if self.keeps(mask) {
                    value
                } else {
                    Token::Empty
                }
            }
            _ if value == mask => value,
            _ => return Err(SimulationFault::new(format!("a value is `{value}`, and its mask `{mask}`"))),
        };
        io.take(VALUES);
        io.take(MASK);
        io.put(0, token);
        Ok(if token == Token::Done { Step::Ends } else { Step::Moved })
    }
}
