//! How many values the variables of loops have: the expression's, those over blocks, and those over places in
//! a block, of which the last one may have fewer.

use super::Emitter;
use super::env::Env;
use crate::cin_to_scf::plan::Bindings;
use comet_ir::{IrError, Result, Val};
use comet_notation::concrete::{Origin, Var};
use comet_notation::relations::{Blocks, Split};

impl<'c> Emitter<'_, 'c> {
    /// The number of values of a variable here.
    pub(super) fn extent(&self, env: &Env<'c>, var: Var) -> Result<'c, Val<'c>> {
        let relations = &self.compute.relations;
        if let Some(split) = relations.quotient_of(var) {
            return self.quotient_extent(env, split);
        }
        if let Some(split) = relations.remainder_of(var) {
            return self.remainder_extent(env, split);
        }
        if let Some(extent) = self.derived_extent(env, var)? {
            return Ok(extent);
        }
        match self.compute.var(var).origin {
            Origin::Expression => Ok(self.handles.extent(var)),
            Origin::Derived => Err(IrError::at(env.b.location(), "the loop's variable has no extent")),
        }
    }

    /// The outer part of a split has as many values as there are blocks; inside the loop over the inner part,
    /// as there are blocks that reach that far.
    fn quotient_extent(&self, env: &Env<'c>, split: Split<Var>) -> Result<'c, Val<'c>> {
        let mut whole = self.extent(env, split.var)?;
        if let Some(inner) = self.coordinate(env, split.inner)? {
            whole = env.b.subi(whole, inner)?;
        }
        self.rounded_quotient(env, whole, split)
    }

    /// The number of blocks for that many values.
    fn rounded_quotient(&self, env: &Env<'c>, count: Val<'c>, split: Split<Var>) -> Result<'c, Val<'c>> {
        let b = env.b;
        if let Blocks::OfSize(factor) = split.blocks {
            return self.ceil_div(b, count, factor as i64);
        }
        let factor = self.factor(env, split)?;
        let last = b.subi(factor, self.constant(1)?)?;
        b.divi(b.addi(count, last)?, factor)
    }

    /// The inner part of a split ends early in the last block.
    fn remainder_extent(&self, env: &Env<'c>, split: Split<Var>) -> Result<'c, Val<'c>> {
        let b = env.b;
        let factor = self.factor(env, split)?;
        let mut rest = self.extent(env, split.var)?;
        if let Some(outer) = self.coordinate(env, split.outer)? {
            let start = b.muli(outer, factor)?;
            rest = b.subi(rest, start)?;
            if self.compute.relations.has_fusions() {
                // A loop over pairs comes to blocks that others leave out.
                rest = b.maxi(rest, self.constant(0)?)?;
            }
        }
        b.mini(factor, rest)
    }

    pub(super) fn factor(&self, env: &Env<'c>, split: Split<Var>) -> Result<'c, Val<'c>> {
        let b = env.b;
        let number = match split.blocks {
            Blocks::OfSize(factor) => return self.constant(factor as i64),
            Blocks::InNumber(number) => number,
        };
        let whole = self.whole_extent(env, split.var)?;
        let size = self.ceil_div(b, whole, number as i64)?;
        // Of nothing there are no blocks, and their size is never divided by.
        b.maxi(size, self.constant(1)?)
    }

    /// The number of values of a variable, whatever the loops around have bound.
    pub(super) fn whole_extent(&self, env: &Env<'c>, var: Var) -> Result<'c, Val<'c>> {
        let relations = &self.compute.relations;
        if let Some(split) = relations.quotient_of(var) {
            let whole = self.whole_extent(env, split.var)?;
            return self.rounded_quotient(env, whole, split);
        }
        match relations.remainder_of(var) {
            Some(split) => self.factor(env, split),
            None => self.extent(env, var),
        }
    }

    /// The number of values of a variable over pairs or positions.
    fn derived_extent(&self, env: &Env<'c>, var: Var) -> Result<'c, Option<Val<'c>>> {
        let b = env.b;
        let relations = &self.compute.relations;
        if let Some(fusion) = relations.fusion_into(var) {
            let (outer, inner) =
                (self.whole_extent(env, fusion.outer)?, self.whole_extent(env, fusion.inner)?);
            return Ok(Some(b.muli(outer, inner)?));
        }
        let Some(position) = relations.positions.iter().position(|other| other.position == var) else {
            return Ok(None);
        };
        let mut env = env.clone();
        let walk = self.walk_at(&mut env, position)?;
        let [start, end] = self.segments(&env, &walk)?[walk.levels.len()];
        Ok(Some(b.subi(end, start)?))
    }

    /// The coordinate of a variable that is fused with another one, where the fused one's is known.
    pub(super) fn part_of_pair(&self, env: &Env<'c>, var: Var) -> Result<'c, Option<Val<'c>>> {
        let b = env.b;
        let known = self.known(env);
        let mut fusions = self.compute.relations.fusions_of(var);
        let Some(fusion) = fusions.find(|fusion| known.is_known(fusion.fused)) else { return Ok(None) };
        let pair = self.known_coordinate(env, fusion.fused)?;
        let size = self.whole_extent(env, fusion.inner)?;
        let part = if fusion.outer == var { b.divi(pair, size)? } else { b.remi(pair, size)? };
        Ok(Some(part))
    }
}
