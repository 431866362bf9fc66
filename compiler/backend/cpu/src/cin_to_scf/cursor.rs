//! Cursors: where sparse operands stand in the levels that a loop merges.

use super::Lowering;
use super::bit_vector::{Words, without_lowest};
use super::point::{Point, Positions};
use comet_format::{Level, LevelExpr, LevelKind};
use comet_ir::{Builder, Compare, Result, Val, types};

/// Above the coordinates of every tensor.
const BEYOND: i64 = i64::MAX;

/// Where a sparse operand stands in the level that a loop visits.
#[derive(Clone)]
pub(super) struct Cursor<'c> {
    pub(super) point: Point<'c>,
    at: Positions<'c>,
    source: Source<'c>,
    pub(super) position: Val<'c>,
    pub(super) end: Val<'c>,
    /// The coordinate at the position, where it is known to be inside.
    pub(super) stored: Option<Val<'c>>,
}

/// What holds the coordinates of a level.
#[derive(Clone, Copy)]
enum Source<'c> {
    /// The crd array: one for each position.
    Coordinates(Val<'c>),
    /// The words of a bit vector.
    Words(Words<'c>),
}

/// What a loop carries for some cursors: [`Cursor::state`] of each.
pub(super) fn states<'c>(cursors: &[Cursor<'c>]) -> Vec<Val<'c>> {
    cursors.iter().flat_map(Cursor::state).collect()
}

/// The cursors where the values that a loop carries say; gives what else it carries.
pub(super) fn stand_at<'c, 'v>(
    cursors: &[Cursor<'c>],
    mut carried: &'v [Val<'c>],
) -> (Vec<Cursor<'c>>, &'v [Val<'c>]) {
    let mut moved = Vec::new();
    for cursor in cursors {
        let (state, others) = carried.split_at(cursor.state().len());
        moved.push(cursor.in_state(state));
        carried = others;
    }
    (moved, carried)
}

impl<'c> Cursor<'c> {
    /// What changes from coordinate to coordinate.
    pub(super) fn state(&self) -> Vec<Val<'c>> {
        match self.source {
            Source::Coordinates(_) => vec![self.position],
            Source::Words(words) => vec![self.position, words.current, words.rest],
        }
    }

    /// The same cursor at another place.
    pub(super) fn in_state(&self, state: &[Val<'c>]) -> Self {
        let source = match self.source {
            Source::Words(words) => Source::Words(words.at(state[1], state[2])),
            Source::Coordinates(_) => self.source,
        };
        Self { position: state[0], source, stored: None, ..self.clone() }
    }

    /// The same cursor, whose coordinate is known: it stands inside its range.
    pub(super) fn with_stored(self, stored: Val<'c>) -> Self {
        Self { stored: Some(stored), ..self }
    }

    /// The same cursor with another end.
    pub(super) fn until(self, end: Val<'c>) -> Self {
        Self { end, ..self }
    }

    fn is_sorted(&self) -> bool {
        is_sorted(&self.point, self.at.levels)
    }

    fn repeats(&self) -> bool {
        repeats(&self.point.format().levels, self.at.levels)
    }
}

/// Whether the coordinates of a level are sorted under each parent, and are coordinates all of them.
pub(super) fn is_sorted(point: &Point<'_>, level: usize) -> bool {
    let kind = point.format().levels[level].kind;
    matches!(kind, LevelKind::CompressedUnique | LevelKind::CompressedNonUnique)
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

    pub(super) fn cursor(&mut self, b: Builder<'c>, point: &Point<'c>) -> Result<'c, Cursor<'c>> {
        let at = self.positions(point);
        let levels = point.format().levels;
        let level = levels[at.levels];
        let (number, [position, end]) = if level.expr == LevelExpr::Slot {
            (at.levels + 1, self.slot_range(b, point, &at)?)
        } else {
            (at.levels, self.level_range(b, point, &at, level)?)
        };
        let source = match level.kind {
            LevelKind::BitVector(bits) => {
                let words = self.words(b, point, &at, bits)?;
                Source::Words(self.at_next_bit(b, words, [position, end])?)
            }
            _ => Source::Coordinates(self.storage.coordinates(point.tensor, number)?),
        };
        // Under a parent that is not there the range is empty, so that what is found in it is there.
        let at = Positions { levels: number, present: None, ..at };
        Ok(Cursor { point: point.clone(), at, source, position, end, stored: None })
    }

    /// The coordinate that a cursor stands at, which is inside its range.
    pub(super) fn read(&mut self, b: Builder<'c>, cursor: &Cursor<'c>) -> Result<'c, Val<'c>> {
        match cursor.source {
            Source::Coordinates(crd) => b.load_index(crd, cursor.position),
            Source::Words(words) => self.coordinate_of_bit(b, &words),
        }
    }

    /// The cursors, which are inside their ranges, with the coordinates that they stand at.
    pub(super) fn read_all(
        &mut self,
        b: Builder<'c>,
        cursors: Vec<Cursor<'c>>,
    ) -> Result<'c, Vec<Cursor<'c>>> {
        let read = |cursor: Cursor<'c>| {
            let stored = self.read(b, &cursor)?;
            Ok(cursor.with_stored(stored))
        };
        cursors.into_iter().map(read).collect()
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
        point: &Point<'c>,
        at: &Positions<'c>,
        level: Level,
    ) -> Result<'c, [Val<'c>; 2]> {
        match level.kind {
            LevelKind::Singleton => self.singleton_range(b, at),
            _ => self.segment(b, point, at),
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
        let end = self.skip(b, &cursor, Compare::Ge, zero)?.position;
        Ok(cursor.until(end))
    }

    /// The coordinates that the cursors stand at; behind their ends it is beyond all others.
    pub(super) fn look(&mut self, b: Builder<'c>, cursors: Vec<Cursor<'c>>) -> Result<'c, Vec<Cursor<'c>>> {
        let beyond = self.storage.constant(BEYOND)?;
        let index = types::index(b.context());
        let mut seen = Vec::new();
        for cursor in cursors {
            let inside = b.cmpi(Compare::Lt, cursor.position, cursor.end)?;
            let read = |b: Builder<'c>| Ok(vec![self.read(b, &cursor)?]);
            let stored = b.if_else(inside, &[index], read, |_| Ok(vec![beyond]))?[0];
            seen.push(cursor.with_stored(stored));
        }
        Ok(seen)
    }

    /// Whether the cursor stands inside its range, at a coordinate that compares so with the given one.
    pub(super) fn stands(
        &mut self,
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
            let stored = self.read(b, cursor)?;
            Ok(vec![b.cmpi(compare, stored, coordinate)?])
        };
        let results = b.if_else(inside, &[bit], compares, |b| Ok(vec![b.int(bit, 0)?]))?;
        Ok(results[0])
    }

    /// Goes down to what the cursor stands at; gives the cursor behind it.
    pub(super) fn take(
        &mut self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Cursor<'c>> {
        let next = self.behind(b, cursor, coordinate, None)?;
        self.go_down(cursor, next.position, None);
        Ok(next)
    }

    /// Notes the position below which a point goes on. Where the level stores a coordinate once for each
    /// entry, that is all of them, up to `next`.
    fn go_down(&mut self, cursor: &Cursor<'c>, next: Val<'c>, present: Option<Val<'c>>) {
        let (levels, last) = (cursor.at.levels + 1, Some(cursor.position));
        let at = Positions { levels, last, end: cursor.repeats().then_some(next), present };
        self.positions.push((cursor.point.clone(), at));
    }

    /// Goes down to what the cursor stands at if it is there; gives the cursor behind it.
    pub(super) fn take_if(
        &mut self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Cursor<'c>> {
        let present = self.stands(b, cursor, Compare::Eq, coordinate)?;
        let next = self.behind(b, cursor, coordinate, Some(present))?;
        self.go_down(cursor, next.position, Some(present));
        Ok(next)
    }

    /// The cursor behind a coordinate at which nothing is assigned.
    pub(super) fn pass(
        &mut self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Cursor<'c>> {
        let present = self.stands(b, cursor, Compare::Eq, coordinate)?;
        self.behind(b, cursor, coordinate, Some(present))
    }

    /// The cursor one position further.
    pub(super) fn step(&mut self, b: Builder<'c>, cursor: &Cursor<'c>) -> Result<'c, Cursor<'c>> {
        self.step_if(b, cursor, None)
    }

    /// The cursor one position further, if it is to move.
    fn step_if(
        &mut self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        moves: Option<Val<'c>>,
    ) -> Result<'c, Cursor<'c>> {
        let following = self.following(b, cursor)?;
        let Some(moves) = moves else { return self.at_bit(b, following) };
        let states = following.state().into_iter().zip(cursor.state());
        let chosen = states.map(|(there, here)| b.select(moves, there, here));
        self.at_bit(b, cursor.in_state(&chosen.collect::<Result<'c, Vec<_>>>()?))
    }

    /// The cursor behind the coordinate that it stands at; where it is, if that is not `present`.
    fn behind(
        &mut self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        coordinate: Val<'c>,
        present: Option<Val<'c>>,
    ) -> Result<'c, Cursor<'c>> {
        let next = self.step_if(b, cursor, present)?;
        if cursor.repeats() { self.skip(b, &next, Compare::Eq, coordinate) } else { Ok(next) }
    }

    /// The cursor at the next position; in a bit vector it may have to go on to a word that has bits.
    fn following(&mut self, b: Builder<'c>, cursor: &Cursor<'c>) -> Result<'c, Cursor<'c>> {
        let position = b.addi(cursor.position, self.storage.constant(1)?)?;
        match cursor.source {
            Source::Coordinates(_) => Ok(cursor.in_state(&[position])),
            Source::Words(words) => {
                Ok(cursor.in_state(&[position, words.current, without_lowest(b, words.rest)?]))
            }
        }
    }

    fn at_bit(&mut self, b: Builder<'c>, cursor: Cursor<'c>) -> Result<'c, Cursor<'c>> {
        let Source::Words(words) = cursor.source else { return Ok(cursor) };
        let words = self.at_next_bit(b, words, [cursor.position, cursor.end])?;
        Ok(Cursor { source: Source::Words(words), ..cursor })
    }

    /// The cursor at the first coordinate from its own on that does not compare so with the given one.
    fn skip(
        &mut self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        compare: Compare,
        coordinate: Val<'c>,
    ) -> Result<'c, Cursor<'c>> {
        let this = std::cell::RefCell::new(self);
        let results = b.while_loop(
            &cursor.state(),
            |b, carried| this.borrow_mut().stands(b, &cursor.in_state(carried), compare, coordinate),
            |b, carried| {
                let mut this = this.borrow_mut();
                let following = this.following(b, &cursor.in_state(carried))?;
                Ok(this.at_bit(b, following)?.state())
            },
        )?;
        Ok(cursor.in_state(&results))
    }

    /// The cursor at the first coordinate that is not below the given one: by bisection where the coordinates
    /// are sorted, word by word in a bit vector, else one by one.
    pub(super) fn seek(
        &mut self,
        b: Builder<'c>,
        cursor: &Cursor<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Cursor<'c>> {
        let range = [cursor.position, cursor.end];
        match cursor.source {
            Source::Words(words) => {
                let (words, position) = self.bit_from(b, words, range, coordinate)?;
                Ok(cursor.in_state(&[position, words.current, words.rest]))
            }
            Source::Coordinates(crd) if cursor.is_sorted() => {
                let position = self.first_from(b, crd, range, coordinate)?;
                Ok(cursor.in_state(&[position]))
            }
            Source::Coordinates(_) => self.skip(b, cursor, Compare::Lt, coordinate),
        }
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

/// How many coordinates the cursors have left together.
pub(super) fn left<'c>(b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
    let left = cursors.iter().map(|cursor| b.subi(cursor.end, cursor.position));
    let left = left.collect::<Result<'c, Vec<_>>>()?;
    let (first, others) = left.split_first().expect("there are operands to merge");
    others.iter().try_fold(*first, |sum, left| b.addi(sum, *left))
}

/// The least of the coordinates that the cursors stand at.
pub(super) fn least<'c>(b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
    let mut stored = cursors.iter().filter_map(|cursor| cursor.stored);
    let first = stored.next().expect("there are operands to merge");
    stored.try_fold(first, |least, stored| b.mini(least, stored))
}

/// The greatest of the coordinates that the cursors stand at.
pub(super) fn greatest<'c>(b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
    let mut stored = cursors.iter().filter_map(|cursor| cursor.stored);
    let first = stored.next().expect("there are operands to merge");
    stored.try_fold(first, |greatest, stored| b.maxi(greatest, stored))
}

/// Whether all cursors stand at one coordinate.
pub(super) fn are_together<'c>(b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
    let stored: Vec<Val<'c>> = cursors.iter().filter_map(|cursor| cursor.stored).collect();
    let same = stored.windows(2).map(|pair| b.cmpi(Compare::Eq, pair[0], pair[1]));
    let same = same.collect::<Result<'c, Vec<_>>>()?;
    let (first, others) = same.split_first().expect("there are operands to intersect");
    others.iter().try_fold(*first, |all, next| b.value_op("and", all, *next))
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
