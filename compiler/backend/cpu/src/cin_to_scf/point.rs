//! Where an access stands: the position in each of its levels, as far as they are known.

use super::Lowering;
use comet_format::{Format, IndexWidth, LevelExpr, LevelKind};
use comet_ir::{Builder, Op, Result, Ty, Val, format, types};
use comet_passes::nest::{self, Split};
use melior::Context;
use melior::ir::ValueLike;

/// A tensor under index variables. Two accesses of one tensor under the same variables are one point.
#[derive(Clone, PartialEq)]
pub(super) struct Point<'c> {
    pub(super) tensor: Val<'c>,
    pub(super) indices: Vec<Val<'c>>,
}

impl<'c> Point<'c> {
    /// That of a `cin.access` or `cin.assign`.
    pub(super) fn of(op: Op<'c>) -> Self {
        let (tensor, indices) = nest::point(op);
        Self { tensor, indices }
    }

    pub(super) fn format(&self) -> Format {
        format::of_type(self.tensor.r#type())
    }

    /// The type of the tensor's positions and coordinates.
    pub(super) fn index_type(&self, context: &'c Context) -> Ty<'c> {
        types::int(context, if self.format().index_width == IndexWidth::I64 { 64 } else { 32 })
    }
}

/// The positions of the levels that are known: an outermost run of them. The last one is what the next
/// level begins at.
#[derive(Clone, Default)]
pub(super) struct Positions<'c> {
    pub(super) levels: usize,
    pub(super) last: Option<Val<'c>>,
    /// One past the last position, where the level has left several that share its coordinate.
    pub(super) end: Option<Val<'c>>,
    /// Whether the position is one, where only the running program knows: the loop around visits more
    /// coordinates than this access stores.
    pub(super) present: Option<Val<'c>>,
}

impl<'c> Lowering<'c> {
    /// How far a point has got.
    pub(super) fn positions(&self, point: &Point<'c>) -> Positions<'c> {
        self.positions
            .iter()
            .rev()
            .find(|(other, _)| other == point)
            .map(|(_, positions)| positions.clone())
            .unwrap_or_default()
    }

    /// Goes on through the dense levels whose coordinates are known: the position is `parent * size +
    /// coordinate`.
    pub(super) fn locate(&mut self, b: Builder<'c>, point: &Point<'c>) -> Result<'c, Positions<'c>> {
        let levels = point.format().levels;
        let mut positions = self.positions(point);
        while let Some(level) = levels.get(positions.levels) {
            if level.kind != LevelKind::Dense || level.expr == LevelExpr::Slot {
                break;
            }
            let Some(coordinate) = self.level_coordinate(b, level.expr, &point.indices)? else { break };
            positions.last = Some(self.child(b, point, &positions, coordinate)?);
            positions.end = None;
            positions.levels += 1;
        }
        self.positions.push((point.clone(), positions.clone()));
        Ok(positions)
    }

    /// The position of a coordinate of the next level, which is dense.
    pub(super) fn child(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        at: &Positions<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let Some(parent) = at.last else { return Ok(coordinate) };
        let size = self.storage.size(point.tensor, at.levels)?;
        let start = b.muli(parent, size)?;
        b.addi(start, coordinate)
    }

    /// The coordinate of a level, where the variables that it follows from are bound.
    pub(super) fn level_coordinate(
        &mut self,
        b: Builder<'c>,
        expr: LevelExpr,
        indices: &[Val<'c>],
    ) -> Result<'c, Option<Val<'c>>> {
        let (mode, factor, quotient) = match expr {
            LevelExpr::Mode(mode) => return self.coordinate(b, indices[mode]),
            LevelExpr::Div(mode, factor) => (mode, factor, true),
            LevelExpr::Mod(mode, factor) => (mode, factor, false),
            LevelExpr::Slot => return Ok(None),
        };
        if let Some(split) = self.relations.split_of(indices[mode], factor) {
            let half = if quotient { split.outer } else { split.inner };
            if let Some(bound) = self.bound(half) {
                return Ok(Some(bound));
            }
        }
        let Some(whole) = self.coordinate(b, indices[mode])? else { return Ok(None) };
        let factor = self.storage.constant(factor as i64)?;
        let part = if quotient { b.divi(whole, factor)? } else { b.remi(whole, factor)? };
        Ok(Some(part))
    }

    /// The coordinate of a variable: bound by a loop, put together from both halves of a split, which may be
    /// split themselves, or a part of a fused one.
    pub(super) fn coordinate(&mut self, b: Builder<'c>, var: Val<'c>) -> Result<'c, Option<Val<'c>>> {
        let var = self.relations.unbounded(var);
        if let Some(bound) = self.bound(var) {
            return Ok(Some(bound));
        }
        let splits: Vec<Split<'c>> = self.relations.splits_of(var).collect();
        let is_known = |split: &Split<'c>| self.is_known(split.outer) && self.is_known(split.inner);
        let Some(split) = splits.into_iter().find(is_known) else { return self.part_of_pair(b, var) };
        let (Some(outer), Some(inner)) = (self.coordinate(b, split.outer)?, self.coordinate(b, split.inner)?)
        else {
            unreachable!("both halves are known")
        };
        let factor = self.factor(b, split)?;
        let start = b.muli(outer, factor)?;
        Ok(Some(b.addi(start, inner)?))
    }

    /// Whether the loops around fix the value of a variable.
    pub(super) fn is_known(&self, var: Val<'c>) -> bool {
        let mut splits = self.relations.splits_of(var);
        self.bound(var).is_some()
            || splits.any(|split| self.is_known(split.outer) && self.is_known(split.inner))
            || self.relations.fusions_of(var).any(|fusion| self.is_known(fusion.fused))
    }

    /// The value that a loop has bound a variable to.
    pub(super) fn bound(&self, var: Val<'c>) -> Option<Val<'c>> {
        self.coordinates.iter().rev().find(|(other, _)| *other == var).map(|(_, coordinate)| *coordinate)
    }
}
