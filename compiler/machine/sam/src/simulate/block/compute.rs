//! Operators and functions on streams of values.

use super::super::fault::SimulationFault;
use super::super::network::Io;
use super::super::token::Token;
use super::{Behaviour, Step, Stepped};
use crate::arithmetic::{Binary, Unary, binary, unary};
use crate::graph::{self, Merge};

/// Combines two values. Where an operand has nothing, patterns that unite take it as 0, and those that
/// intersect have nothing.
pub(super) struct Alu {
    operator: Binary,
    how: Merge,
}

/// 0, in every type.
const ZERO: u64 = 0;

impl Alu {
    pub(super) fn new(alu: graph::Alu) -> Self {
        Self { operator: binary(alu.operator, alu.element), how: alu.how }
    }

    fn combine(&self, a: Token, b: Token) -> Result<Token, SimulationFault> {
        match (a, b) {
            (Token::Data(a), Token::Data(b)) => self.apply(a, b),
            (Token::Data(_), Token::Empty) | (Token::Empty, Token::Data(_))
                if self.how == Merge::Intersect =>
            {
                Ok(Token::Empty)
            }
            (Token::Data(a), Token::Empty) => self.apply(a, ZERO),
            (Token::Empty, Token::Data(b)) => self.apply(ZERO, b),
            (a, b) if a == b => Ok(a),
            (a, b) => {
                Err(SimulationFault::new(format!("the operands have `{a}` and `{b}` at the same place")))
            }
        }
    }

    fn apply(&self, a: u64, b: u64) -> Result<Token, SimulationFault> {
        let value = (self.operator)(a, b).map(Token::Data);
        value.ok_or_else(|| {
            SimulationFault::of_values(format!("division of the integer {} by zero", a.cast_signed()))
        })
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

/// Applies a function to each value; what is not there stays so.
pub(super) struct Apply {
    function: Unary,
}

impl Apply {
    pub(super) fn new(apply: graph::Apply) -> Self {
        Self { function: unary(apply.function, apply.element) }
    }
}

impl Behaviour for Apply {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let Some(token) = io.front(0) else { return Ok(Step::Waits) };
        io.take(0);
        io.put(0, if let Token::Data(bits) = token { Token::Data((self.function)(bits)) } else { token });
        Ok(if token == Token::Done { Step::Ends } else { Step::Moved })
    }
}
