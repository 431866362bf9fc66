//! Arrays of values, and arithmetic on them.

use super::super::fault::Fault;
use super::super::network::Io;
use super::super::token::Token;
use super::{Behaviour, Step, Stepped};
use crate::graph::{self, How, Operator};

/// Loads the values that references lead to.
pub(super) struct Loads<'a> {
    pub(super) values: &'a [f64],
}

impl Behaviour for Loads<'_> {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let Some(token) = io.front(0) else { return Ok(Step::Waits) };
        let loaded = match token {
            Token::Data(reference) => {
                let value = usize::try_from(reference).ok().and_then(|place| self.values.get(place));
                let count = self.values.len();
                let missing = || Fault::new(format!("reference {reference} leads to none of {count} values"));
                Token::value(*value.ok_or_else(missing)?)
            }
            other => other,
        };
        io.take(0);
        io.put(0, loaded);
        Ok(if token == Token::Done { Step::Ends } else { Step::Moved })
    }
}

/// Combines two values. Where an operand has nothing, a sum has the other one, and a product has nothing.
pub(super) struct Alu(pub(super) graph::Alu);

impl Alu {
    fn combine(&self, a: Token, b: Token) -> Result<Token, Fault> {
        let value = |bits: u64| f64::from_bits(bits);
        Ok(match (a, b) {
            (Token::Data(a), Token::Data(b)) => Token::value(self.apply(value(a), value(b))),
            (Token::Empty, Token::Empty) => Token::Empty,
            (Token::Data(_), Token::Empty) | (Token::Empty, Token::Data(_))
                if self.0.how == How::Intersect =>
            {
                Token::Empty
            }
            (Token::Data(a), Token::Empty) => Token::value(self.apply(value(a), 0.0)),
            (Token::Empty, Token::Data(b)) => Token::value(self.apply(0.0, value(b))),
            (a, b) if a == b => a,
            (a, b) => return Err(Fault::new(format!("the operands have `{a}` and `{b}` at the same place"))),
        })
    }

    fn apply(&self, a: f64, b: f64) -> f64 {
        match self.0.operator {
            Operator::Add => a + b,
            Operator::Subtract => a - b,
            _ => a * b,
        }
    }
}

impl Behaviour for Alu {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let (Some(a), Some(b)) = (io.front(0), io.front(1)) else { return Ok(Step::Waits) };
        let token = self.combine(a, b)?;
        io.take(0);
        io.take(1);
        io.put(0, token);
        Ok(if token == Token::Done { Step::Ends } else { Step::Moved })
    }
}
