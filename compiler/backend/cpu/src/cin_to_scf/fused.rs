//! Loops over pairs of two variables, and loops over the positions of levels: each position fixes the
//! coordinates of all levels that it is below, down from where the loops around stand.

use super::Lowering;
use super::point::{Point, Positions};
use super::workspace::{combines_one_by_one, is_workspace};
use comet_dialects::cin::AccessOperation;
use comet_format::{Level, LevelExpr, LevelKind};
use comet_ir::{Builder, Compare, IrError, Op, Result, Val, types};
use comet_passes::nest;
use std::ops::Range;

/// The levels of a point that one variable goes over the positions of.
#[derive(Clone)]
struct Walk<'c> {
    point: Point<'c>,
    levels: Range<usize>,
}

/// Where a search for the parent of a position begins: at the parent of the one before.
pub(super) struct LastParent<'c> {
    point: Point<'c>,
    level: usize,
    variable: Val<'c>,
}

/// The positions of a level that are below one position further up.
type Segment<'c> = [Val<'c>; 2];

impl<'c> Lowering<'c> {
    /// The coordinate of a variable that is fused with another one, where the fused one's is known.
    pub(super) fn part_of_pair(&mut self, b: Builder<'c>, var: Val<'c>) -> Result<'c, Option<Val<'c>>> {
        let mut fusions = self.relations.fusions_of(var);
        let Some(fusion) = fusions.find(|fusion| self.is_known(fusion.fused)) else { return Ok(None) };
        drop(fusions);
        let pair = self.coordinate(b, fusion.fused)?.expect("it is known");
        let size = self.whole_extent(b, fusion.inner)?;
        let part = if fusion.outer == var { b.divi(pair, size)? } else { b.remi(pair, size)? };
        Ok(Some(part))
    }

    /// The number of values of a variable over pairs or positions.
    pub(super) fn derived_extent(&mut self, b: Builder<'c>, var: Val<'c>) -> Result<'c, Option<Val<'c>>> {
        if let Some(fusion) = self.relations.fusion_into(var) {
            let (outer, inner) = (self.whole_extent(b, fusion.outer)?, self.whole_extent(b, fusion.inner)?);
            return Ok(Some(b.muli(outer, inner)?));
        }
        let Some(positions) = self.relations.positions_at(var).cloned() else { return Ok(None) };
        let walk = self.walk(b, &positions)?;
        let [start, end] = self.segments(b, &walk)?[walk.levels.len()];
        Ok(Some(b.subi(end, start)?))
    }

    /// The levels that a variable over positions is about. The loops around stand right above them.
    fn walk(&mut self, b: Builder<'c>, positions: &nest::Positions<'c>) -> Result<'c, Walk<'c>> {
        let point = Point { tensor: positions.tensor, indices: positions.indices.clone() };
        let at = self.locate(b, &point)?;
        let components = self.relations.components(positions.var);
        let walk = self.walk_from(&point, at.levels, &components);
        walk.filter(|walk| walk.levels.end == positions.level + 1).ok_or_else(|| {
            let (position, tensor) = (nest::name(positions.position), nest::name(positions.tensor));
            let message = format!(
                "the loop over `{position}` goes over positions of `{tensor}` below those that other loops fix, and is not inside of them"
            );
            IrError::at(positions.op.location(), message)
                .hint("put it inside of the loops over the levels above with `order`")
        })
    }

    /// The levels from the given one on, where they are those of some variables, in their order.
    fn walk_from(&self, point: &Point<'c>, first: usize, components: &[Val<'c>]) -> Option<Walk<'c>> {
        let levels = point.format().levels;
        let mut rest = components;
        let mut end = first;
        while let [component, others @ ..] = rest {
            let level = *levels.get(end)?;
            end += 1;
            if level.expr == LevelExpr::Slot {
                continue;
            }
            if self.relations.level_var(level, &point.indices) != Some(*component) {
                return None;
            }
            rest = others;
        }
        Some(Walk { point: point.clone(), levels: first..end })
    }

    /// What the loops around leave of the level above the walk's first one, and of each of its levels.
    fn segments(&mut self, b: Builder<'c>, walk: &Walk<'c>) -> Result<'c, Vec<Segment<'c>>> {
        let at = self.positions(&walk.point);
        let (zero, one) = (self.storage.constant(0)?, self.storage.constant(1)?);
        let start = at.last.unwrap_or(zero);
        let end = match at.end {
            Some(end) => end,
            None => b.addi(start, one)?,
        };
        let mut segment = [start, end];
        if let Some(present) = at.present {
            // Under a parent that is not there is nothing.
            segment = [b.select(present, segment[0], zero)?, b.select(present, segment[1], zero)?];
        }
        let mut segments = vec![segment];
        for number in walk.levels.clone() {
            segment = self.segment_below(b, &walk.point, number, segment)?;
            segments.push(segment);
        }
        Ok(segments)
    }

    fn segment_below(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        number: usize,
        [start, end]: Segment<'c>,
    ) -> Result<'c, Segment<'c>> {
        match point.format().levels[number].kind {
            LevelKind::Dense => {
                let size = self.storage.size(point.tensor, number)?;
                Ok([b.muli(start, size)?, b.muli(end, size)?])
            }
            LevelKind::Singleton => Ok([start, end]),
            LevelKind::CompressedUnique | LevelKind::CompressedNonUnique => {
                let pos = self.storage.positions(point.tensor, number)?;
                Ok([b.load_index(pos, start)?, b.load_index(pos, end)?])
            }
            LevelKind::BitVector(_) => {
                Err(IrError::not_supported(b.location(), "positions of a bit-vector level"))
            }
        }
    }

    /// Goes on where a loop has fixed a position: says whether there was one that no coordinates were read
    /// from yet.
    pub(super) fn stand_at_position(&mut self, b: Builder<'c>, op: Op<'c>, var: Val<'c>) -> Result<'c, bool> {
        let is_new = |positions: &&nest::Positions<'c>| {
            self.is_known(positions.position)
                && !self.relations.components(positions.var).iter().all(|var| self.is_known(*var))
        };
        let Some(positions) = self.relations.positions().iter().find(is_new).cloned() else {
            return Ok(false);
        };
        let b = b.with_location(positions.op.location());
        let point = Point { tensor: positions.tensor, indices: positions.indices.clone() };
        if self.is_live_without(op, std::slice::from_ref(&point)) {
            return Err(not_alone(&positions));
        }
        let walk = self.walk(b, &positions)?;
        if !self.may_repeat(op, &walk) {
            return Err(stored_twice(&positions));
        }
        let number = self.coordinate(b, positions.position)?.expect("it is known");
        let segments = self.segments(b, &walk)?;
        let position = b.addi(segments[walk.levels.len()][0], number)?;
        self.at_walk_position(b, op, var, &walk, &segments, position)?;
        Ok(true)
    }

    /// A loop over the pairs that one operand stores, where nothing is assigned at others; says whether it is
    /// one.
    pub(super) fn stored_pairs(&mut self, b: Builder<'c>, op: Op<'c>, var: Val<'c>) -> Result<'c, bool> {
        if self.relations.fusion_into(var).is_none() {
            return Ok(false);
        }
        let Some(walk) = self.only_walk(b, op, var)? else { return Ok(false) };
        let segments = self.segments(b, &walk)?;
        let bounds = segments[walk.levels.len()];
        self.repeat(b, op, bounds, |this, b, position| {
            this.at_walk_position(b, op, var, &walk, &segments, position)
        })?;
        Ok(true)
    }

    /// The sparse operand without which nothing is assigned and whose next levels are those of the pairs.
    fn only_walk(&mut self, b: Builder<'c>, op: Op<'c>, var: Val<'c>) -> Result<'c, Option<Walk<'c>>> {
        let components = self.relations.components(var);
        for access in op.descendants::<AccessOperation>() {
            let point = Point::of(access);
            if is_workspace(point.tensor) || self.absent.contains(&point) {
                continue;
            }
            let at = self.locate(b, &point)?;
            let Some(walk) = self.walk_from(&point, at.levels, &components) else { continue };
            let levels = &point.format().levels[walk.levels.clone()];
            let stores_all = levels.iter().all(|level| level.kind == LevelKind::Dense);
            let is_read_by_word = levels.iter().any(|level| matches!(level.kind, LevelKind::BitVector(_)));
            let is_needed = !self.is_live_without(op, std::slice::from_ref(&point));
            if !stores_all && !is_read_by_word && is_needed && self.may_repeat(op, &walk) {
                return Ok(Some(walk));
            }
        }
        Ok(None)
    }

    /// Whether a coordinate may be come to once for each entry below it, where the last level stores it so.
    fn may_repeat(&self, op: Op<'c>, walk: &Walk<'c>) -> bool {
        let levels = walk.point.format().levels;
        let last = walk.levels.end - 1;
        let is_above_singleton = levels.get(last + 1).is_some_and(|level| level.kind == LevelKind::Singleton);
        !is_above_singleton
            || levels[last].kind == LevelKind::CompressedUnique
            || (combines_one_by_one(op) && !self.appends(op))
    }

    /// The body of a loop at a position of the walk's last level.
    fn at_walk_position(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
        walk: &Walk<'c>,
        segments: &[Segment<'c>],
        position: Val<'c>,
    ) -> Result<'c, ()> {
        let mut exists = None;
        let mut current = position;
        let levels = walk.point.format().levels;
        for number in walk.levels.clone().rev() {
            let level = levels[number];
            let coordinate = self.coordinate_at(b, &walk.point, number, current)?;
            if let Some(own) = self.relations.level_var(level, &walk.point.indices) {
                self.coordinates.push((own, coordinate));
            }
            if pads(&levels, number) {
                exists = Some(b.cmpi(Compare::Ge, coordinate, self.storage.constant(0)?)?);
            }
            if number > walk.levels.start {
                let above = segments[number - walk.levels.start];
                current = self.parent(b, &walk.point, number, current, above)?;
            }
        }
        if self.relations.fusion_into(var).is_some() && self.bound(var).is_none() {
            let pair = self.pair(b, var)?;
            self.coordinates.push((var, pair));
        }
        let at = Positions { levels: walk.levels.end, last: Some(position), ..Positions::default() };
        self.positions.push((walk.point.clone(), at));
        match exists {
            Some(exists) => self.only_if(b, op, exists, |this, b| this.iterate(b, op, var)),
            None => self.iterate(b, op, var),
        }
    }

    /// The value of a variable over pairs whose parts are bound.
    fn pair(&mut self, b: Builder<'c>, var: Val<'c>) -> Result<'c, Val<'c>> {
        let Some(fusion) = self.relations.fusion_into(var) else {
            return Ok(self.bound(var).expect("the position has bound the parts"));
        };
        let (outer, inner) = (self.pair(b, fusion.outer)?, self.pair(b, fusion.inner)?);
        let size = self.whole_extent(b, fusion.inner)?;
        b.addi(b.muli(outer, size)?, inner)
    }

    fn coordinate_at(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        number: usize,
        position: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        if point.format().levels[number].kind == LevelKind::Dense {
            let size = self.storage.size(point.tensor, number)?;
            return b.remi(position, size);
        }
        let crd = self.storage.coordinates(point.tensor, number)?;
        b.load_index(crd, position)
    }

    /// The position in the level above of which this one is below.
    fn parent(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        number: usize,
        position: Val<'c>,
        above: Segment<'c>,
    ) -> Result<'c, Val<'c>> {
        match point.format().levels[number].kind {
            LevelKind::Dense => {
                let size = self.storage.size(point.tensor, number)?;
                b.divi(position, size)
            }
            LevelKind::Singleton => Ok(position),
            _ => self.search_parent(b, point, number, position, above),
        }
    }

    /// The last one whose entries begin at the position or before it. Mostly it is that of the position
    /// before, or a little further on.
    fn search_parent(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        number: usize,
        position: Val<'c>,
        [first, end]: Segment<'c>,
    ) -> Result<'c, Val<'c>> {
        let pos = self.storage.positions(point.tensor, number)?;
        let (one, index) = (self.storage.constant(1)?, types::index(b.context()));
        let variable = self.last_parent(b, point, number)?;
        let last = b.get(variable)?;
        let is_before = b.cmpi(Compare::Lt, last, first)?;
        let is_behind = b.cmpi(Compare::Ge, last, end)?;
        let is_outside = b.value_op("or", is_before, is_behind)?;
        let is_usable = b.if_else(
            is_outside,
            &[types::int(b.context(), 1)],
            |b| Ok(vec![b.int(types::int(b.context(), 1), 0)?]),
            |b| Ok(vec![b.cmpi(Compare::Le, b.load_index(pos, last)?, position)?]),
        )?[0];
        let next = b.addi(position, one)?;
        let start = b.if_else(
            is_usable,
            &[index],
            |_| Ok(vec![last]),
            |b| {
                let above = self.first_from(b, pos, [first, end], next)?;
                Ok(vec![b.subi(above, one)?])
            },
        )?[0];
        let found = b.while_loop(
            &[start],
            |b, parent| {
                let end = b.load_index(pos, b.addi(parent[0], one)?)?;
                b.cmpi(Compare::Le, end, position)
            },
            |b, parent| Ok(vec![b.addi(parent[0], one)?]),
        )?[0];
        b.set(variable, found)?;
        Ok(found)
    }

    /// The variable for the parents of a level's positions.
    fn last_parent(&mut self, b: Builder<'c>, point: &Point<'c>, level: usize) -> Result<'c, Val<'c>> {
        let is_it = |last: &&LastParent<'c>| last.point == *point && last.level == level;
        if let Some(known) = self.last_parents.iter().find(is_it) {
            return Ok(known.variable);
        }
        let variable = self.storage.variable(b.variable(types::index(b.context()))?)?;
        self.last_parents.push(LastParent { point: point.clone(), level, variable });
        Ok(variable)
    }

    /// Whether the values that the loops have come to by now are in range, where a fused variable has more of
    /// them than there are pairs: the last blocks of its parts may be shorter than the others.
    pub(super) fn pair_is_inside(
        &mut self,
        b: Builder<'c>,
        known_before: &[bool],
    ) -> Result<'c, Option<Val<'c>>> {
        let mut is_inside = None;
        for (split, was_known) in self.relations.splits().to_vec().into_iter().zip(known_before) {
            if *was_known || !self.is_known(split.var) {
                continue;
            }
            let value = self.coordinate(b, split.var)?.expect("it is known");
            let extent = self.whole_extent(b, split.var)?;
            let is_below = b.cmpi(Compare::Lt, value, extent)?;
            is_inside = Some(b.and_others(is_inside, is_below)?);
        }
        Ok(is_inside)
    }

    /// Of each split, whether the loops around fix the value of what is split.
    pub(super) fn known_splits(&self) -> Vec<bool> {
        self.relations.splits().iter().map(|split| self.is_known(split.var)).collect()
    }

    /// Whether a variable is over pairs, or is a part of one that is.
    pub(super) fn is_of_pairs(&self, var: Val<'c>) -> bool {
        let split = self.relations.quotient_of(var).or_else(|| self.relations.remainder_of(var));
        self.relations.fusion_into(var).is_some() || split.is_some_and(|split| self.is_of_pairs(split.var))
    }

    /// The positions that a variable is over, or that one is over which it is a part of.
    pub(super) fn positions_under(&self, var: Val<'c>) -> Option<&nest::Positions<'c>> {
        let split = self.relations.quotient_of(var).or_else(|| self.relations.remainder_of(var));
        self.relations.positions_at(var).or_else(|| split.and_then(|split| self.positions_under(split.var)))
    }

    /// Whether a loop over positions is one of an operand that is absent here, without which nothing is
    /// assigned.
    pub(super) fn has_no_positions(&self, op: Op<'c>, var: Val<'c>) -> bool {
        let is_absent = self.positions_under(var).is_some_and(|positions| {
            let (tensor, indices) = (positions.tensor, positions.indices.clone());
            self.absent.contains(&Point { tensor, indices })
        });
        is_absent && !self.is_live_without(op, &[])
    }
}

/// Whether a level stores −1 where a dense one above has no coordinate.
fn pads(levels: &[Level], number: usize) -> bool {
    number > 0 && levels[number].kind == LevelKind::Singleton && levels[number - 1].kind == LevelKind::Dense
}

fn not_alone<'c>(positions: &nest::Positions<'c>) -> IrError<'c> {
    let (tensor, var) = (nest::name(positions.tensor), nest::name(positions.var));
    let message = format!("`{tensor}` alone does not decide which `{var}` are visited");
    let hint = "leave `pos` out: the loop also comes to coordinates that other operands store";
    IrError::at(positions.op.location(), message).hint(hint)
}

fn stored_twice<'c>(positions: &nest::Positions<'c>) -> IrError<'c> {
    let (tensor, var) = (nest::name(positions.tensor), nest::name(positions.var));
    let message =
        format!("`{tensor}` stores each `{var}` once for every entry below it, which have to meet here");
    IrError::at(positions.op.location(), message).hint("leave `pos` out")
}
