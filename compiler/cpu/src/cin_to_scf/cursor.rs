//! Cursors: where sparse operands stand in the levels that a loop merges.

use super::Lowering;
use super::point::{Point, Positions};
use comet_ir::{Builder, Compare, IrError, Op, Result, Val, types};
use comet_runtime::format::{Level, LevelExpr, LevelKind};

/// Above the coordinates of every tensor.
const BEYOND: i64 = i64::MAX;

/// Where a sparse operand stands in the level that a loop visits.
#[derive(Clone)]
pub(super) struct Cursor<'c> {
    pub(super) point: Point<'c>,
    at: Positions<'c>,
    pub(super) crd: Val<'c>,
    pub(super) position: Val<'c>,
    pub(super) end: Val<'c>,
    /// The coordinate at the position, where it is known to be inside.
    pub(super) stored: Option<Val<'c>>,
}

impl<'c> Cursor<'c> {
    /// The same cursor at another position.
    pub(super) fn at_position(&self, position: Val<'c>) -> Self {
        Self { position, stored: None, ..self.clone() }
    }

    /// The same cursor, whose coordinate is known: it stands inside its range.
    pub(super) fn with_stored(self, stored: Val<'c>) -> Self {
        Self { stored: Some(stored), ..self }
    }

    /// The same cursor over a part of its range.
    pub(super) fn within(&self, position: Val<'c>, end: Val<'c>) -> Self {
        Self { end, ..self.at_position(position) }
    }

    /// The number of the level.
    pub(super) fn level(&self) -> usize {
        self.at.levels
    }

    fn repeats(&self) -> bool {
        repeats(&self.point.format().levels, self.at.levels)
    }
}

/// Whether a level stores a coordinate once for each of the entries below it.
fn repeats(levels: &[Level], level: usize) -> bool {
    let below = levels.get(level + 1);
    below.is_some_and(|level| level.kind == LevelKind::Singleton)
        && levels[level].kind != LevelKind::CompressedUnique
}

impl<'c> Lowering<'c> {
    /// Whether the level that a loop over the point visits next stores coordinates more than once.
    pub(super) fn next_repeats(&self, point: &Point<'c>) -> bool {
        repeats(&point.format().levels, self.positions(point).levels)
    }

    pub(super) fn cursor(&mut self, b: Builder<'c>, op: Op<'c>, point: &Point<'c>) -> Result<'c, Cursor<'c>> {
        let at = self.positions(point);
        let levels = point.format().levels;
        let level = levels[at.levels];
        let (number, [position, end]) = if level.expr == LevelExpr::Slot {
            (at.levels + 1, self.slot_range(b, point, &at)?)
        } else {
            (at.levels, self.level_range(b, op, point, &at, level)?)
        };
        let crd = self.storage.coordinates(point.tensor, number)?;
        // Under a parent that is not there the range is empty, so that what is found in it is there.
        let at = Positions { levels: number, present: None, ..at };
        Ok(Cursor { point: point.clone(), at, crd, position, end, stored: None })
    }

    /// The slots of a row; the unused ones come last, and their coordinate is −1.
    fn slot_range(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        at: &Positions<'c>,
    ) -> Result<'c, [Val<'c>; 2]> {
        let (zero, size) = (self.storage.constant(0)?, self.storage.size(point.tensor, at.levels)?);
        let start = self.child(b, point, at, zero)?;
        let end = b.addi(start, size)?;
        Ok([start, if_present(b, at, end, start)?])
    }

    fn level_range(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        point: &Point<'c>,
        at: &Positions<'c>,
        level: Level,
    ) -> Result<'c, [Val<'c>; 2]> {
        match level.kind {
            LevelKind::CompressedUnique | LevelKind::CompressedNonUnique => self.segment(b, point, at),
            LevelKind::Singleton => self.singleton_range(b, at),
            _ => Err(IrError::not_supported(op.location(), "bit-vector levels in loops")),
        }
    }

    /// The positions that the level above has left together, or the only one that it has given.
    fn singleton_range(&mut self, b: Builder<'c>, at: &Positions<'c>) -> Result<'c, [Val<'c>; 2]> {
        let start = at.last.expect("the verifier refuses S as the first level");
        let end = match at.end {
            Some(end) => end,
            None => {
                let one = self.storage.constant(1)?;
                if_present(b, at, b.addi(start, one)?, start)?
            }
        };
        Ok([start, end])
    }

    /// Ends the range before the entries that stand for nothing.
    pub(super) fn without_padding(&mut self, b: Builder<'c>, cursor: Cursor<'c>) -> Result<'c, Cursor<'c>> {
        let level = cursor.at.levels;
        let pads = level > 0 && cursor.point.format().levels[level - 1].kind == LevelKind::Dense;
        if !pads || cursor.point.format().levels[level].kind != LevelKind::Singleton {
            return Ok(cursor);
        }
        let zero = self.storage.constant(0)?;
        let end = self.skip(b, &cursor, cursor.position, Compare::Ge, zero)?;
        Ok(Cursor { end, ..cursor })
    }

    /// The coordinates that the cursors stand at; behind their ends it is beyond all others.
    pub(super) fn look(&mut self, b: Builder<'c>, cursors: Vec<Cursor<'c>>) -> Result<'c, Vec<Cursor<'c>>> {
        let beyond = self.storage.constant(BEYOND)?;
        let index = types::index(b.context());
        let seen = |cursor: Cursor<'c>| {
            let inside = b.cmpi(Compare::Lt, cursor.position, cursor.end)?;
            let load = |b: Builder<'c>| Ok(vec![b.load_index(cursor.crd, cursor.position)?]);
            let stored = b.if_else(inside, &[index], load, |_| Ok(vec![beyond]))?[0];
            Ok(Cursor { stored: Some(stored), ..cursor })
        };
        cursors.into_iter().map(seen).collect()
    }

    /// Whether the cursor stands inside its range, at a coordinate that compares so with the given one.
    pub(super) fn stands(
        &self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        compare: Compare,
        coordinate: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        if let Some(stored) = cursor.stored {
            return b.cmpi(compare, stored, coordinate);
        }
        let inside = b.cmpi(Compare::Lt, cursor.position, cursor.end)?;
        let bit = types::int(b.context(), 1);
        let compares = |b: Builder<'c>| {
            let stored = b.load_index(cursor.crd, cursor.position)?;
            Ok(vec![b.cmpi(compare, stored, coordinate)?])
        };
        let results = b.if_else(inside, &[bit], compares, |b| Ok(vec![b.int(bit, 0)?]))?;
        Ok(results[0])
    }

    /// Goes down to what the cursor stands at; gives where it stands next.
    pub(super) fn take(
        &mut self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let one = self.storage.constant(1)?;
        let mut next = b.addi(cursor.position, one)?;
        if cursor.repeats() {
            next = self.skip(b, cursor, next, Compare::Eq, coordinate)?;
        }
        self.go_down(cursor, next, None);
        Ok(next)
    }

    /// Notes the position below which a point goes on. Where the level stores a coordinate once for each
    /// entry, that is all of them, up to `next`.
    fn go_down(&mut self, cursor: &Cursor<'c>, next: Val<'c>, present: Option<Val<'c>>) {
        let (levels, last) = (cursor.at.levels + 1, Some(cursor.position));
        let at = Positions { levels, last, end: cursor.repeats().then_some(next), present };
        self.positions.push((cursor.point.clone(), at));
    }

    /// Goes down to what the cursor stands at if it is there; gives where it stands next.
    pub(super) fn take_if(
        &mut self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let present = self.stands(b, cursor, Compare::Eq, coordinate)?;
        let next = self.next_if(b, cursor, coordinate, present)?;
        self.go_down(cursor, next, Some(present));
        Ok(next)
    }

    /// Where a cursor stands next at whose coordinate nothing is assigned.
    pub(super) fn pass(
        &mut self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let present = self.stands(b, cursor, Compare::Eq, coordinate)?;
        self.next_if(b, cursor, coordinate, present)
    }

    /// Behind the coordinate if the cursor stands at it, else where it is.
    fn next_if(
        &mut self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        coordinate: Val<'c>,
        present: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let one = self.storage.constant(1)?;
        let following = b.addi(cursor.position, one)?;
        let next = b.select(present, following, cursor.position)?;
        if cursor.repeats() {
            return self.skip(b, cursor, next, Compare::Eq, coordinate);
        }
        Ok(next)
    }

    /// The first position from `start` on whose coordinate does not compare so with the given one.
    pub(super) fn skip(
        &mut self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        start: Val<'c>,
        compare: Compare,
        coordinate: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let one = self.storage.constant(1)?;
        let results = b.while_loop(
            &[start],
            |b, carried| self.stands(b, &cursor.at_position(carried[0]), compare, coordinate),
            |b, carried| Ok(vec![b.addi(carried[0], one)?]),
        )?;
        Ok(results[0])
    }
}

/// Whether every cursor has a coordinate left.
pub(super) fn all_inside<'c>(b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
    inside(b, cursors, "arith.andi")
}

/// Whether some cursor has a coordinate left.
pub(super) fn any_inside<'c>(b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
    inside(b, cursors, "arith.ori")
}

fn inside<'c>(b: Builder<'c>, cursors: &[Cursor<'c>], operation: &str) -> Result<'c, Val<'c>> {
    let inside = cursors.iter().map(|cursor| b.cmpi(Compare::Lt, cursor.position, cursor.end));
    let inside = inside.collect::<Result<'c, Vec<_>>>()?;
    let (first, rest) = inside.split_first().expect("there are operands to merge");
    let bit = types::int(b.context(), 1);
    rest.iter().try_fold(*first, |all, next| b.value(operation, &[all, *next], bit))
}

/// The least of the coordinates that the cursors stand at.
pub(super) fn least<'c>(b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
    let mut stored = cursors.iter().filter_map(|cursor| cursor.stored);
    let first = stored.next().expect("there are operands to merge");
    stored.try_fold(first, |least, stored| b.mini(least, stored))
}

/// The first value where the parent is there, the other one where it is not.
fn if_present<'c>(
    b: Builder<'c>,
    at: &Positions<'c>,
    then: Val<'c>,
    otherwise: Val<'c>,
) -> Result<'c, Val<'c>> {
    match at.present {
        Some(present) => b.select(present, then, otherwise),
        None => Ok(then),
    }
}
