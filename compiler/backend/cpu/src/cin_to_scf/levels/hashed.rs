//! `H`: a hash table under each parent (`comet_format::hash`). A loop over its slots passes over the empty
//! ones; a coordinate is found by probing.

use super::{LevelAt, LevelIterator, State};
use comet_format::hash;
use comet_ir::{Builder, Compare, Result, Val};
use melior::ir::ValueLike;

pub(super) struct Hashed;

impl LevelIterator for Hashed {
    /// The slot that holds the coordinate, or the end: a table has no order, so that the cursor is at its
    /// first slot, and nothing else is looked for.
    fn seek<'c>(
        &self,
        at: LevelAt<'_, 'c>,
        state: &State<'c>,
        end: Val<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Option<State<'c>>> {
        let b = at.b;
        let (first, crd) = (state.position(), state.fixed[0]);
        let count = b.subi(end, first)?;
        let has_slots = b.cmpi(Compare::Gt, count, at.emitter.constant(0)?)?;
        let probe = |b: Builder<'c>| {
            let (zero, one) = (at.emitter.constant(0)?, at.emitter.constant(1)?);
            let last = b.subi(count, one)?;
            let stored = |b: Builder<'c>, offset| b.load_index(crd, b.addi(first, offset)?);
            let product = b.muli(coordinate, at.emitter.constant(hash::FACTOR as i64)?)?;
            let shift = at.emitter.constant(i64::from(hash::SHIFT))?;
            let hashed = b.value("arith.shrui", &[product, shift], count.r#type())?;
            let offset = b.while_loop(
                &[b.value_op("and", hashed, last)?],
                |b, offset| {
                    let found = stored(b, offset[0])?;
                    let is_other = b.cmpi(Compare::Ne, found, coordinate)?;
                    b.value_op("and", is_other, b.cmpi(Compare::Ge, found, zero)?)
                },
                |b, offset| Ok(vec![b.value_op("and", b.addi(offset[0], one)?, last)?]),
            )?[0];
            let is_found = b.cmpi(Compare::Eq, stored(b, offset)?, coordinate)?;
            b.select(is_found, b.addi(first, offset)?, end)
        };
        let position = b.choose(has_slots, count.r#type(), probe, |_| Ok(end))?;
        Ok(Some(state.moved(&[position])))
    }
}
