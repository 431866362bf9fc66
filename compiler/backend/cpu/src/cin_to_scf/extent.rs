//! How many values the variables of loops have: the expression's, those over blocks, and those over places in
//! a block, of which the last one may have fewer.

use super::Lowering;
use comet_dialects::cin::IndexVarOperation;
use comet_ir::{Builder, IrError, Op, Result, Val};
use comet_passes::nest::{Blocks, Split};

impl<'c> Lowering<'c> {
    /// The number of values of a variable here.
    pub(super) fn extent(&mut self, b: Builder<'c>, var: Val<'c>) -> Result<'c, Val<'c>> {
        if let Some(split) = self.relations.quotient_of(var) {
            return self.quotient_extent(b, split);
        }
        if let Some(split) = self.relations.remainder_of(var) {
            return self.remainder_extent(b, split);
        }
        if let Some(extent) = self.derived_extent(b, var)? {
            return Ok(extent);
        }
        match Op::defining(var) {
            Some(declaration) if declaration.is::<IndexVarOperation>() => Ok(declaration.operand(0)),
            _ => Err(IrError::at(b.location(), "the loop's variable has no extent")),
        }
    }

    /// The outer half of a split has as many values as there are blocks; inside the loop over the inner half,
    /// as there are blocks that reach that far.
    fn quotient_extent(&mut self, b: Builder<'c>, split: Split<'c>) -> Result<'c, Val<'c>> {
        let mut whole = self.extent(b, split.var)?;
        if let Some(inner) = self.coordinate(b, split.inner)? {
            whole = b.subi(whole, inner)?;
        }
        self.rounded_quotient(b, whole, split)
    }

    /// The number of blocks for so many values.
    fn rounded_quotient(&mut self, b: Builder<'c>, count: Val<'c>, split: Split<'c>) -> Result<'c, Val<'c>> {
        if let Blocks::OfSize(factor) = split.blocks {
            return self.storage.ceil_div(b, count, factor as i64);
        }
        let factor = self.factor(b, split)?;
        let last = b.subi(factor, self.storage.constant(1)?)?;
        b.divi(b.addi(count, last)?, factor)
    }

    /// The inner half of a split ends early in the last block.
    fn remainder_extent(&mut self, b: Builder<'c>, split: Split<'c>) -> Result<'c, Val<'c>> {
        let factor = self.factor(b, split)?;
        let mut rest = self.extent(b, split.var)?;
        if let Some(outer) = self.coordinate(b, split.outer)? {
            let start = b.muli(outer, factor)?;
            rest = b.subi(rest, start)?;
            if self.relations.has_pairs() {
                // A loop over them comes to blocks that others leave out.
                rest = b.maxi(rest, self.storage.constant(0)?)?;
            }
        }
        b.mini(factor, rest)
    }

    /// The size of the blocks of a split.
    pub(super) fn factor(&mut self, b: Builder<'c>, split: Split<'c>) -> Result<'c, Val<'c>> {
        let parts = match split.blocks {
            Blocks::OfSize(factor) => return self.storage.constant(factor as i64),
            Blocks::InNumber(parts) => parts,
        };
        let whole = self.whole_extent(b, split.var)?;
        let size = self.storage.ceil_div(b, whole, parts as i64)?;
        // Of nothing there are no blocks, and their size is never divided by.
        b.maxi(size, self.storage.constant(1)?)
    }

    /// The number of values of a variable, wherever the loops stand.
    pub(super) fn whole_extent(&mut self, b: Builder<'c>, var: Val<'c>) -> Result<'c, Val<'c>> {
        if let Some(split) = self.relations.quotient_of(var) {
            let whole = self.whole_extent(b, split.var)?;
            return self.rounded_quotient(b, whole, split);
        }
        match self.relations.remainder_of(var) {
            Some(split) => self.factor(b, split),
            None => self.extent(b, var),
        }
    }
}
