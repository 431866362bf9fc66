//! Arrays of values, and operators, functions and masks on streams of values.

use super::{Behaviour, SimulationFault, Token, lockstep};
use crate::arithmetic::{TypedValue, binary, unary};
use crate::graph::{Alu, Apply, Kept, Merge, ValueMask};

pub(super) fn loads(values: &[u64]) -> Box<dyn Behaviour + '_> {
    lockstep(|io, [token]| {
        let loaded = match token {
            Token::Data(reference) => {
                let value = usize::try_from(reference).ok().and_then(|place| values.get(place));
                let count = values.len();
                let missing = || fault!("reference {reference} leads to none of {count} values");
                Token::Data(*value.ok_or_else(missing)?)
            }
            other => other,
        };
        io.put(0, loaded);
        Ok(())
    })
}

/// 0, in every type.
const ZERO: u64 = 0;

/// Combines two values. Where an operand has nothing, patterns that unite take it as 0, and those that
/// intersect have nothing.
pub(super) fn alu(Alu { operator, element, how }: Alu) -> Box<dyn Behaviour> {
    let operator = binary(operator, element);
    let apply = move |a: u64, b: u64| {
        operator(a, b).map(Token::Data).ok_or_else(|| {
            SimulationFault::of_values(format!("division of the integer {} by zero", a.cast_signed()))
        })
    };
    lockstep(move |io, [a, b]| {
        let combined = match (a, b) {
            (Token::Data(a), Token::Data(b)) => apply(a, b)?,
            (Token::Data(_), Token::Empty) | (Token::Empty, Token::Data(_)) if how == Merge::Intersect => {
                Token::Empty
            }
            (Token::Data(a), Token::Empty) => apply(a, ZERO)?,
            (Token::Empty, Token::Data(b)) => apply(ZERO, b)?,
            (a, b) if a == b => a,
            (a, b) => {
                let message = format!("the operands have `{a}` and `{b}` at the same place");
                return Err(SimulationFault::new(message));
            }
        };
        io.put(0, combined);
        Ok(())
    })
}

/// Applies a function to each value; what is not there stays so.
pub(super) fn apply(Apply { function, element }: Apply) -> Box<dyn Behaviour> {
    let function = unary(function, element);
    lockstep(move |io, [token]| {
        io.put(0, if let Token::Data(bits) = token { Token::Data(function(bits)) } else { token });
        Ok(())
    })
}

/// Lets a value through, or puts an empty token for it.
pub(super) fn mask(mask: ValueMask) -> Box<dyn Behaviour> {
    lockstep(move |io, [value, by]| {
        let token = match (value, by) {
            (Token::Data(_) | Token::Empty, Token::Data(_) | Token::Empty) => {
                if keeps(mask, by) {
                    value
                } else {
                    Token::Empty
                }
            }
            _ if value == by => value,
            _ => return Err(fault!("a value is `{value}`, and its mask `{by}`")),
        };
        io.put(0, token);
        Ok(())
    })
}

fn keeps(ValueMask { kept, element }: ValueMask, mask: Token) -> bool {
    let is_zero = match mask {
        Token::Data(bits) => TypedValue::from_bits(bits, element).is_zero(),
        _ => true,
    };
    match kept {
        Kept::Stored => mask != Token::Empty,
        Kept::NotStored => mask == Token::Empty,
        Kept::NotZero => !is_zero,
        Kept::Zero => is_zero,
    }
}
