//! Cursors: where sparse operands are in the levels that a loop merges.

use super::Emitter;
use super::env::{Descent, Env};
use crate::cin_to_scf::levels::State;
use crate::cin_to_scf::plan::{pads, repeats};
use comet_ir::{Builder, Compare, Result, Val, types};
use comet_notation::concrete::Access;

/// Above the coordinates of every tensor.
const BEYOND: i64 = i64::MAX;

/// Where a sparse operand is in the level that a loop visits.
#[derive(Clone)]
pub(super) struct Cursor<'c> {
    pub(super) access: Access,
    number: usize,
    state: State<'c>,
    pub(super) end: Val<'c>,
    /// The coordinate at the position, where it is known to be inside.
    pub(super) stored: Option<Val<'c>>,
}

/// Returns what a loop carries for some cursors: [`Cursor::state`] of each.
pub(super) fn states<'c>(cursors: &[Cursor<'c>]) -> Vec<Val<'c>> {
    cursors.iter().flat_map(Cursor::state).collect()
}

/// Returns the cursors at the places that a loop carries.
pub(super) fn moved_to<'c>(cursors: &[Cursor<'c>], mut carried: &[Val<'c>]) -> Vec<Cursor<'c>> {
    let mut moved = Vec::new();
    for cursor in cursors {
        let (state, others) = carried.split_at(cursor.state().len());
        moved.push(cursor.in_state(state));
        carried = others;
    }
    moved
}

impl<'c> Cursor<'c> {
    /// Returns what changes from coordinate to coordinate.
    pub(super) fn state(&self) -> Vec<Val<'c>> {
        self.state.moving.clone()
    }

    pub(super) fn position(&self) -> Val<'c> {
        self.state.position()
    }

    /// Returns the same cursor at another place.
    pub(super) fn in_state(&self, moving: &[Val<'c>]) -> Self {
        self.with_state(self.state.moved(moving))
    }

    fn with_state(&self, state: State<'c>) -> Self {
        Self { state, stored: None, ..self.clone() }
    }

    /// Returns the same cursor, whose coordinate is known: it is inside of its range.
    pub(super) fn with_stored(self, stored: Val<'c>) -> Self {
        Self { stored: Some(stored), ..self }
    }

    /// Returns the same cursor with another end.
    pub(super) fn until(self, end: Val<'c>) -> Self {
        Self { end, ..self }
    }
}

impl<'c> Emitter<'_, 'c> {
    /// A cursor at the first coordinate below where an access has come.
    pub(super) fn cursor(&self, env: &Env<'c>, access: &Access) -> Result<'c, Cursor<'c>> {
        let descent = env.descent(access);
        let is_slot = self.levels(access)[descent.levels].is_slot();
        let number = if is_slot { descent.levels + 1 } else { descent.levels };
        let at = self.level_at(env, access, number);
        let segment = match is_slot {
            true => self.slot_range(env, access, &descent)?,
            false => at.iterator().children(at, &descent)?,
        };
        let state = at.iterator().open(at, &descent, segment)?;
        Ok(Cursor { access: access.clone(), number, state, end: segment[1], stored: None })
    }

    /// The slots of a row; the unused ones come last, and their coordinate is −1.
    fn slot_range(&self, env: &Env<'c>, access: &Access, descent: &Descent<'c>) -> Result<'c, [Val<'c>; 2]> {
        let b = env.b;
        let (zero, size) = (self.constant(0)?, self.level_size(env, access.tensor, descent.levels)?);
        let start = self.child(env, access, descent, zero)?;
        let end = b.addi(start, size)?;
        let end = match descent.present {
            Some(present) => b.select(present, end, start)?,
            None => end,
        };
        Ok([start, end])
    }

    /// The coordinate that a cursor is at, which is inside of its range.
    fn read(&self, env: &Env<'c>, cursor: &Cursor<'c>) -> Result<'c, Val<'c>> {
        let at = self.level_at(env, &cursor.access, cursor.number);
        at.iterator().read(at, &cursor.state)
    }

    /// The cursors, which are inside of their ranges, with the coordinates that they are at.
    pub(super) fn read_all(&self, env: &Env<'c>, cursors: Vec<Cursor<'c>>) -> Result<'c, Vec<Cursor<'c>>> {
        let read = |cursor: Cursor<'c>| {
            let stored = self.read(env, &cursor)?;
            Ok(cursor.with_stored(stored))
        };
        cursors.into_iter().map(read).collect()
    }

    /// Ends the range before the positions that hold no coordinate.
    pub(super) fn without_padding(&self, env: &Env<'c>, cursor: Cursor<'c>) -> Result<'c, Cursor<'c>> {
        if !pads(self.levels(&cursor.access), cursor.number) {
            return Ok(cursor);
        }
        let zero = self.constant(0)?;
        let end = self.skip(env, &cursor, Compare::Ge, zero)?.position();
        Ok(cursor.until(end))
    }

    /// The coordinates that the cursors are at; past their ends it is beyond all others.
    pub(super) fn look(&self, env: &Env<'c>, cursors: Vec<Cursor<'c>>) -> Result<'c, Vec<Cursor<'c>>> {
        let b = env.b;
        let beyond = self.constant(BEYOND)?;
        let index = types::index(b.context());
        let mut seen = Vec::new();
        for cursor in cursors {
            let inside = b.cmpi(Compare::Lt, cursor.position(), cursor.end)?;
            let stored = b.choose(inside, index, |b| self.read(&env.within(b), &cursor), |_| Ok(beyond))?;
            seen.push(cursor.with_stored(stored));
        }
        Ok(seen)
    }

    /// Whether the cursor is inside of its range, at a coordinate that compares so with the given one.
    pub(super) fn is_at(
        &self,
        env: &Env<'c>,
        cursor: &Cursor<'c>,
        (compare, coordinate): (Compare, Val<'c>),
    ) -> Result<'c, Val<'c>> {
        let b = env.b;
        if let Some(stored) = cursor.stored {
            return b.cmpi(compare, stored, coordinate);
        }
        let inside = b.cmpi(Compare::Lt, cursor.position(), cursor.end)?;
        b.both(inside, |b| b.cmpi(compare, self.read(&env.within(b), cursor)?, coordinate))
    }

    /// Goes down to what the cursor is at; returns the cursor after it.
    pub(super) fn take(
        &self,
        env: &mut Env<'c>,
        cursor: &Cursor<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Cursor<'c>> {
        let next = self.after(env, cursor, coordinate, None)?;
        self.go_down(env, cursor, next.position(), None);
        Ok(next)
    }

    /// Notes the position below which an access goes on. Where the level stores a coordinate once for each
    /// entry, that is all of them, up to `next`.
    fn go_down(&self, env: &mut Env<'c>, cursor: &Cursor<'c>, next: Val<'c>, present: Option<Val<'c>>) {
        let end = self.cursor_repeats(cursor).then_some(next);
        let descent = Descent { levels: cursor.number + 1, last: Some(cursor.position()), end, present };
        env.set_descent(&cursor.access, descent);
    }

    fn cursor_repeats(&self, cursor: &Cursor<'c>) -> bool {
        repeats(self.levels(&cursor.access), cursor.number)
    }

    /// Goes down to what the cursor is at if it is there; returns the cursor after it.
    pub(super) fn take_if(
        &self,
        env: &mut Env<'c>,
        cursor: &Cursor<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Cursor<'c>> {
        let present = self.is_at(env, cursor, (Compare::Eq, coordinate))?;
        let next = self.after(env, cursor, coordinate, Some(present))?;
        self.go_down(env, cursor, next.position(), Some(present));
        Ok(next)
    }

    /// The cursor after a coordinate at which nothing is assigned.
    pub(super) fn pass(
        &self,
        env: &Env<'c>,
        cursor: &Cursor<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Cursor<'c>> {
        let present = self.is_at(env, cursor, (Compare::Eq, coordinate))?;
        self.after(env, cursor, coordinate, Some(present))
    }

    /// The cursor one position further, if it is to move.
    pub(super) fn step(
        &self,
        env: &Env<'c>,
        cursor: &Cursor<'c>,
        moves: Option<Val<'c>>,
    ) -> Result<'c, Cursor<'c>> {
        let at = self.level_at(env, &cursor.access, cursor.number);
        let following = at.iterator().following(at, &cursor.state)?;
        let state = match moves {
            None => following,
            Some(moves) => {
                let states = following.moving.iter().zip(&cursor.state.moving);
                let chosen = states.map(|(there, here)| env.b.select(moves, *there, *here));
                cursor.state.moved(&chosen.collect::<Result<'c, Vec<_>>>()?)
            }
        };
        Ok(cursor.with_state(at.iterator().settle(at, state, cursor.end)?))
    }

    /// The cursor after the coordinate that it is at; where it is, if that is not `present`.
    fn after(
        &self,
        env: &Env<'c>,
        cursor: &Cursor<'c>,
        coordinate: Val<'c>,
        present: Option<Val<'c>>,
    ) -> Result<'c, Cursor<'c>> {
        let next = self.step(env, cursor, present)?;
        match self.cursor_repeats(cursor) {
            true => self.skip(env, &next, Compare::Eq, coordinate),
            false => Ok(next),
        }
    }

    /// The cursor at the first coordinate from its own on that does not compare so with the given one.
    fn skip(
        &self,
        env: &Env<'c>,
        cursor: &Cursor<'c>,
        compare: Compare,
        coordinate: Val<'c>,
    ) -> Result<'c, Cursor<'c>> {
        let results = env.b.while_loop(
            &cursor.state(),
            |b, carried| self.is_at(&env.within(b), &cursor.in_state(carried), (compare, coordinate)),
            |b, carried| Ok(self.step(&env.within(b), &cursor.in_state(carried), None)?.state()),
        )?;
        Ok(cursor.in_state(&results))
    }

    /// The cursor at the first coordinate that is not below the given one, as the level finds it, or else one
    /// by one.
    pub(super) fn seek(
        &self,
        env: &Env<'c>,
        cursor: &Cursor<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Cursor<'c>> {
        let at = self.level_at(env, &cursor.access, cursor.number);
        match at.iterator().seek(at, &cursor.state, cursor.end, coordinate)? {
            Some(state) => Ok(cursor.with_state(state)),
            None => self.skip(env, cursor, Compare::Lt, coordinate),
        }
    }
}

pub(super) fn all_inside<'c>(b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
    inside(b, cursors, "and")
}

pub(super) fn any_inside<'c>(b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
    inside(b, cursors, "or")
}

fn inside<'c>(b: Builder<'c>, cursors: &[Cursor<'c>], operation: &str) -> Result<'c, Val<'c>> {
    let inside = cursors.iter().map(|cursor| b.cmpi(Compare::Lt, cursor.position(), cursor.end));
    folded(inside, |all, next| b.value_op(operation, all, next))
}

/// How many coordinates the cursors have left together.
pub(super) fn left<'c>(b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
    folded(lengths(b, cursors), |sum, left| b.addi(sum, left))
}

/// The positions that each cursor has left.
pub(super) fn lengths<'a, 'c>(
    b: Builder<'c>,
    cursors: &'a [Cursor<'c>],
) -> impl Iterator<Item = Result<'c, Val<'c>>> + 'a {
    cursors.iter().map(move |cursor| b.subi(cursor.end, cursor.position()))
}

pub(super) fn least<'c>(b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
    folded(stored(cursors).map(Ok), |least, stored| b.mini(least, stored))
}

pub(super) fn greatest<'c>(b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
    folded(stored(cursors).map(Ok), |greatest, stored| b.maxi(greatest, stored))
}

pub(super) fn are_together<'c>(b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
    let stored: Vec<Val<'c>> = stored(cursors).collect();
    let same = stored.windows(2).map(|pair| b.cmpi(Compare::Eq, pair[0], pair[1]));
    folded(same, |all, next| b.value_op("and", all, next))
}

fn stored<'c>(cursors: &[Cursor<'c>]) -> impl Iterator<Item = Val<'c>> {
    cursors.iter().filter_map(|cursor| cursor.stored)
}

pub(super) fn folded<'c>(
    values: impl Iterator<Item = Result<'c, Val<'c>>>,
    combine: impl Fn(Val<'c>, Val<'c>) -> Result<'c, Val<'c>>,
) -> Result<'c, Val<'c>> {
    let values = values.collect::<Result<'c, Vec<_>>>()?;
    let (first, rest) = values.split_first().expect("there are operands to merge");
    rest.iter().try_fold(*first, |all, next| combine(all, *next))
}
