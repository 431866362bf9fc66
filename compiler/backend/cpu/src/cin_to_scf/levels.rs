//! One file for each way in which levels store coordinates: where the children of a position are, which
//! coordinate a position has, and how a cursor goes over the stored coordinates.

mod bit_vector;
mod compressed;
mod dense;
mod hashed;
mod range;
mod singleton;

use super::emit::Emitter;
use super::emit::env::{Descent, Env};
use comet_format::{Level, LevelKind};
use comet_ir::{Builder, Compare, Result, Val, types};
use comet_notation::concrete::Access;

/// Two positions: the first of some, and the one past the last.
pub(super) type Segment<'c> = [Val<'c>; 2];

/// A level of an access, at a place of the code.
#[derive(Clone, Copy)]
pub(super) struct LevelAt<'e, 'c> {
    pub(super) emitter: &'e Emitter<'e, 'c>,
    pub(super) b: Builder<'c>,
    pub(super) env: &'e Env<'c>,
    pub(super) access: &'e Access,
    pub(super) number: usize,
}

/// Where a cursor is in a fiber.
#[derive(Clone)]
pub(super) struct State<'c> {
    /// The position, then what else changes from coordinate to coordinate.
    pub(super) moving: Vec<Val<'c>>,
    /// What stays the same in the whole fiber.
    pub(super) fixed: Vec<Val<'c>>,
}

impl<'c> State<'c> {
    pub(super) fn position(&self) -> Val<'c> {
        self.moving[0]
    }

    /// Returns the state with other moving values.
    pub(super) fn moved(&self, moving: &[Val<'c>]) -> Self {
        Self { moving: moving.to_vec(), fixed: self.fixed.clone() }
    }
}

/// How the coordinates of a level are visited. What a format does as most do is written here.
pub(super) trait LevelIterator: Sync {
    /// The first position below a position of the level above, or of one after it.
    fn first_below<'c>(&self, at: LevelAt<'_, 'c>, above: Val<'c>) -> Result<'c, Val<'c>> {
        at.b.load_index(at.positions()?, above)
    }

    /// The positions below where an access has come; none below a position that is not there.
    fn children<'c>(&self, at: LevelAt<'_, 'c>, descent: &Descent<'c>) -> Result<'c, Segment<'c>> {
        at.stored_segment(descent)
    }

    /// The coordinate at a position below `_parent`, a position of the level above.
    fn coordinate<'c>(
        &self,
        at: LevelAt<'_, 'c>,
        _parent: Val<'c>,
        position: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        at.b.load_index(at.coordinates()?, position)
    }

    /// The position of the level above, in `above`, that a position is below.
    fn parent<'c>(&self, at: LevelAt<'_, 'c>, position: Val<'c>, above: Segment<'c>) -> Result<'c, Val<'c>> {
        at.parent_by_pos(position, above)
    }

    /// A cursor at the first coordinate of a fiber.
    fn open<'c>(
        &self,
        at: LevelAt<'_, 'c>,
        _descent: &Descent<'c>,
        segment: Segment<'c>,
    ) -> Result<'c, State<'c>> {
        Ok(State { moving: vec![segment[0]], fixed: vec![at.coordinates()?] })
    }

    /// The coordinate that a cursor is at, which is inside of its fiber.
    fn read<'c>(&self, at: LevelAt<'_, 'c>, state: &State<'c>) -> Result<'c, Val<'c>> {
        at.b.load_index(state.fixed[0], state.position())
    }

    /// The cursor at the next position; it may have to be settled.
    fn following<'c>(&self, at: LevelAt<'_, 'c>, state: &State<'c>) -> Result<'c, State<'c>> {
        Ok(state.moved(&[at.b.addi(state.position(), at.emitter.constant(1)?)?]))
    }

    /// The cursor where the coordinate of its position can be read.
    fn settle<'c>(&self, _at: LevelAt<'_, 'c>, state: State<'c>, _end: Val<'c>) -> Result<'c, State<'c>> {
        Ok(state)
    }

    /// The cursor at the first coordinate that is not below the given one; `None` where that is found only by
    /// going through the fiber.
    fn seek<'c>(
        &self,
        _at: LevelAt<'_, 'c>,
        _state: &State<'c>,
        _end: Val<'c>,
        _coordinate: Val<'c>,
    ) -> Result<'c, Option<State<'c>>> {
        Ok(None)
    }
}

/// Returns how the coordinates of a level of that kind are visited.
pub(super) fn iterator(kind: LevelKind) -> &'static dyn LevelIterator {
    match kind {
        LevelKind::Dense => &dense::Dense,
        LevelKind::CompressedUnique | LevelKind::CompressedNonUnique => &compressed::Compressed,
        LevelKind::Singleton => &singleton::Singleton,
        LevelKind::BitVector(_) => &bit_vector::BitVector,
        LevelKind::Range => &range::Range,
        LevelKind::Hashed => &hashed::Hashed,
    }
}

impl<'e, 'c> LevelAt<'e, 'c> {
    /// Returns the same level in another block.
    pub(super) fn within(self, b: Builder<'c>) -> Self {
        Self { b, ..self }
    }

    pub(super) fn level(&self) -> Level {
        self.emitter.levels(self.access)[self.number]
    }

    pub(super) fn iterator(&self) -> &'static dyn LevelIterator {
        iterator(self.level().kind)
    }

    /// The array of the coordinates, or of the words of bits.
    pub(super) fn coordinates(&self) -> Result<'c, Val<'c>> {
        self.emitter.coordinates(self.env, self.access.tensor, self.number)
    }

    /// The array of the positions at which the children of each parent begin.
    fn positions(&self) -> Result<'c, Val<'c>> {
        self.emitter.positions(self.env, self.access.tensor, self.number)
    }

    /// The number of coordinates that each parent can have.
    fn size(&self) -> Result<'c, Val<'c>> {
        self.emitter.level_size(self.env, self.access.tensor, self.number)
    }

    /// The positions below all positions of the level above from one to below another.
    pub(super) fn segment_below(self, [start, end]: Segment<'c>) -> Result<'c, Segment<'c>> {
        let first_below = |above| self.iterator().first_below(self, above);
        Ok([first_below(start)?, first_below(end)?])
    }

    /// `pos[parent]` and `pos[parent + 1]`.
    fn stored_segment(&self, descent: &Descent<'c>) -> Result<'c, Segment<'c>> {
        let b = self.b;
        let (pos, zero, one) = (self.positions()?, self.emitter.constant(0)?, self.emitter.constant(1)?);
        let parent = descent.last.unwrap_or(zero);
        let bounds = |b: Builder<'c>| {
            let next = b.addi(parent, one)?;
            Ok(vec![b.load_index(pos, parent)?, b.load_index(pos, next)?])
        };
        let found = match descent.present {
            None => bounds(b)?,
            // Under a parent that is not there is nothing.
            Some(present) => {
                b.if_else(present, &b.types_of(&[zero, zero]), bounds, |_| Ok(vec![zero, zero]))?
            }
        };
        Ok([found[0], found[1]])
    }

    /// The position of the level above, from `first` to below `end`, whose segment a position is in: the
    /// last one whose segment begins at it or before it. Mostly it is the one found before, or a little
    /// further on.
    fn parent_by_pos(&self, position: Val<'c>, [first, end]: Segment<'c>) -> Result<'c, Val<'c>> {
        let b = self.b;
        let (pos, one) = (self.positions()?, self.emitter.constant(1)?);
        let variable = self.emitter.last_parent(b, self.access, self.number)?;
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
            &[types::index(b.context())],
            |_| Ok(vec![last]),
            |b| {
                let above = self.emitter.first_from(b, pos, [first, end], next)?;
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
}

impl<'c> Emitter<'_, 'c> {
    pub(super) fn level_at<'e>(
        &'e self,
        env: &'e Env<'c>,
        access: &'e Access,
        number: usize,
    ) -> LevelAt<'e, 'c> {
        LevelAt { emitter: self, b: env.b, env, access, number }
    }

    /// The first position in a range whose number in an array is not below the given one, by bisection.
    pub(super) fn first_from(
        &self,
        b: Builder<'c>,
        array: Val<'c>,
        range: Segment<'c>,
        number: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let (one, two) = (self.constant(1)?, self.constant(2)?);
        let results = b.while_loop(
            &range,
            |b, range| b.cmpi(Compare::Lt, range[0], range[1]),
            |b, range| {
                let middle = b.divi(b.addi(range[0], range[1])?, two)?;
                let is_below = b.cmpi(Compare::Lt, b.load_index(array, middle)?, number)?;
                let next = b.addi(middle, one)?;
                Ok(vec![b.select(is_below, next, range[0])?, b.select(is_below, range[1], middle)?])
            },
        )?;
        Ok(results[0])
    }
}
