//! Structured control flow. Bodies are closures that get a builder for their block.

use super::Builder;
use super::complex::types_of_parts;
use crate::{Block, Result, Ty, Val, types};
use melior::ir::RegionLike;
use melior::ir::{Block as OwnedBlock, Region};

/// The bounds of a loop: `start`, `stop` (exclusive), `step`, all of type `index`.
#[derive(Clone, Copy)]
pub struct Bounds<'c> {
    pub start: Val<'c>,
    /// One past the last value.
    pub stop: Val<'c>,
    /// The increment, positive.
    pub step: Val<'c>,
}

impl<'c> Builder<'c> {
    /// `scf.for` over `start..stop` by 1, carrying values; returns the values after the last iteration.
    pub fn for_each(
        self,
        start: Val<'c>,
        stop: Val<'c>,
        carried: &[Val<'c>],
        body: impl FnOnce(Self, Val<'c>, &[Val<'c>]) -> Result<'c, Vec<Val<'c>>>,
    ) -> Result<'c, Vec<Val<'c>>> {
        let step = self.index(1)?;
        self.for_step(Bounds { start, stop, step }, carried, body)
    }

    /// The same with any positive step.
    pub fn for_step(
        self,
        bounds: Bounds<'c>,
        carried: &[Val<'c>],
        body: impl FnOnce(Self, Val<'c>, &[Val<'c>]) -> Result<'c, Vec<Val<'c>>>,
    ) -> Result<'c, Vec<Val<'c>>> {
        let types = self.types_of(carried);
        let parts = types_of_parts(&types);
        let mut operands = vec![bounds.start, bounds.stop, bounds.step];
        operands.extend(self.taken_apart(carried)?);
        let arguments =
            std::iter::once(types::index(self.context())).chain(parts.iter().copied()).collect::<Vec<_>>();
        let region = self.region(&arguments);
        let op = self.op_with_regions("scf.for", &operands, &parts, &[], vec![region])?;
        let block = op.body(0);
        let inner = self.inside(block);
        let held = (0..parts.len()).map(|index| block.argument(index + 1));
        let accumulators = inner.put_together(&types, held)?;
        let next = body(inner, block.argument(0), &accumulators)?;
        inner.op("scf.yield", &inner.taken_apart(&next)?, &[], &[])?;
        self.put_together(&types, (0..parts.len()).map(|index| op.result(index)))
    }

    /// `scf.for` that carries nothing.
    pub fn repeat(
        self,
        bounds: Bounds<'c>,
        body: impl FnOnce(Self, Val<'c>) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        self.for_step(bounds, &[], |b, value, _| body(b, value).map(|()| Vec::new())).map(|_| ())
    }

    /// `scf.while`: repeats `body` on the carried values while `condition` holds for them; returns the values
    /// at the end.
    pub fn while_loop(
        self,
        initial: &[Val<'c>],
        condition: impl FnOnce(Self, &[Val<'c>]) -> Result<'c, Val<'c>>,
        body: impl FnOnce(Self, &[Val<'c>]) -> Result<'c, Vec<Val<'c>>>,
    ) -> Result<'c, Vec<Val<'c>>> {
        let types = self.types_of(initial);
        let parts = types_of_parts(&types);
        let regions = vec![self.region(&parts), self.region(&parts)];
        let op = self.op_with_regions("scf.while", &self.taken_apart(initial)?, &parts, &[], regions)?;
        let arguments =
            |block: Block<'c>| (0..parts.len()).map(|index| block.argument(index)).collect::<Vec<_>>();
        let (before, after) = (op.body(0), op.body(1));
        let (first, second) = (self.inside(before), self.inside(after));
        let held = first.put_together(&types, arguments(before))?;
        let mut forwarded = vec![condition(first, &held)?];
        forwarded.extend(arguments(before));
        first.op("scf.condition", &forwarded, &[], &[])?;
        let held = second.put_together(&types, arguments(after))?;
        let next = body(second, &held)?;
        second.op("scf.yield", &second.taken_apart(&next)?, &[], &[])?;
        self.put_together(&types, (0..parts.len()).map(|index| op.result(index)))
    }

    /// `scf.if` with an else branch; both give values of the given types.
    pub fn if_else(
        self,
        condition: Val<'c>,
        results: &[Ty<'c>],
        then: impl FnOnce(Self) -> Result<'c, Vec<Val<'c>>>,
        otherwise: impl FnOnce(Self) -> Result<'c, Vec<Val<'c>>>,
    ) -> Result<'c, Vec<Val<'c>>> {
        let regions = vec![self.region(&[]), self.region(&[])];
        let parts = types_of_parts(results);
        let op = self.op_with_regions("scf.if", &[condition], &parts, &[], regions)?;
        let (first, second) = (self.inside(op.body(0)), self.inside(op.body(1)));
        let values = then(first)?;
        first.op("scf.yield", &first.taken_apart(&values)?, &[], &[])?;
        let values = otherwise(second)?;
        second.op("scf.yield", &second.taken_apart(&values)?, &[], &[])?;
        self.put_together(results, (0..parts.len()).map(|index| op.result(index)))
    }

    /// `scf.if` with an else branch, for a value.
    pub fn choose(
        self,
        condition: Val<'c>,
        ty: Ty<'c>,
        then: impl FnOnce(Self) -> Result<'c, Val<'c>>,
        otherwise: impl FnOnce(Self) -> Result<'c, Val<'c>>,
    ) -> Result<'c, Val<'c>> {
        let then = |b| then(b).map(|value| vec![value]);
        Ok(self.if_else(condition, &[ty], then, |b| otherwise(b).map(|value| vec![value]))?[0])
    }

    /// Whether two things hold; the second is only asked where the first does.
    pub fn both(
        self,
        first: Val<'c>,
        second: impl FnOnce(Self) -> Result<'c, Val<'c>>,
    ) -> Result<'c, Val<'c>> {
        let bit = types::int(self.context(), 1);
        self.choose(first, bit, second, |b| b.int(bit, 0))
    }

    /// `scf.if` with an else branch and without results.
    pub fn branch(
        self,
        condition: Val<'c>,
        then: impl FnOnce(Self) -> Result<'c, ()>,
        otherwise: impl FnOnce(Self) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        let then = |b| then(b).map(|()| Vec::new());
        self.if_else(condition, &[], then, |b| otherwise(b).map(|()| Vec::new())).map(|_| ())
    }

    /// `scf.if` without results and without an else branch.
    pub fn if_then(self, condition: Val<'c>, then: impl FnOnce(Self) -> Result<'c, ()>) -> Result<'c, ()> {
        let regions = vec![self.region(&[]), Region::new()];
        let op = self.op_with_regions("scf.if", &[condition], &[], &[], regions)?;
        let inside = self.inside(op.body(0));
        then(inside)?;
        inside.op("scf.yield", &[], &[], &[]).map(|_| ())
    }

    /// A region with one empty block that has arguments of those types.
    pub fn region(self, arguments: &[Ty<'c>]) -> Region<'c> {
        let arguments: Vec<_> = arguments.iter().map(|ty| (*ty, self.location())).collect();
        let region = Region::new();
        region.append_block(OwnedBlock::new(&arguments));
        region
    }

    /// At the end of another block, with the same location.
    #[must_use]
    pub fn inside(self, block: Block<'c>) -> Self {
        Self { block, before: None, ..self }
    }
}
