//! How many values the variables of a workspace have at most, in front of all loops.

use comet_dialects::cin::IndexVarOperation;
use comet_ir::{Builder, Op, Result, Val};
use comet_passes::nest::{Blocks, Relations};

/// At least as many as a variable of the expression, or a part of one, has in any round of the loops around.
pub(super) fn for_values<'c>(b: Builder<'c>, relations: &Relations<'c>, var: Val<'c>) -> Result<'c, Val<'c>> {
    let var = relations.unbounded(var);
    if let Some(declaration) = Op::defining(var).filter(|op| op.is::<IndexVarOperation>()) {
        return Ok(declaration.operand(0));
    }
    let quotient = relations.quotient_of(var);
    let split = quotient.or_else(|| relations.remainder_of(var));
    let split = split.expect("a workspace has variables of the expression, or parts of them");
    match (split.blocks, quotient.is_some()) {
        (Blocks::OfSize(number), false) | (Blocks::InNumber(number), true) => b.index(number as i64),
        (Blocks::OfSize(number), true) | (Blocks::InNumber(number), false) => {
            let whole = for_values(b, relations, split.var)?;
            let (number, last) = (b.index(number as i64)?, b.index(number as i64 - 1)?);
            let blocks = b.divi(b.addi(whole, last)?, number)?;
            b.maxi(blocks, b.index(1)?)
        }
    }
}
