//! Points on their way into a hash or list workspace (sparse-workspace.txt, Algorithms 2 and 3).
//!
//! As long as there is room, and the key of a point is one word, the generated code itself appends to the
//! list, or looks the key up in the table: a call would cost more than that. Growing, sorting and contracting
//! are the run time's, to which every other point is handed by `ta.insert`.

use super::Lowering;
use super::operator::{begin, reduce};
use super::point::Point;
use crate::instrument::Instrument;
use comet_ir::{Builder, Compare, IrError, Result, Val, types};
use comet_passes::operator::Reduction;
use melior::ir::{TypeLike, ValueLike};

/// How points are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    List,
    Hash,
}

/// What inserting needs to know of an accumulator.
#[derive(Clone)]
pub(super) struct Insertion<'c> {
    pub(super) kind: Kind,
    pub(super) reduction: Reduction,
    /// `ta.points_state`, which stays where it is.
    state: Val<'c>,
    /// The variable of `ta.points_room`, which is asked for anew after each `ta.insert`.
    room: Val<'c>,
    /// By how many bits each level's coordinate is shifted in a key.
    shifts: Vec<Val<'c>>,
}

/// Numbers of `ta.points_state`, in front of the shifts.
const LEN: i64 = 0;
const MOST: i64 = 1;
const HITS: i64 = 2;
const SHIFTS: i64 = 3;

/// What stands for no point in a table.
const EMPTY: i64 = -1;

/// 2⁶⁴ over the golden ratio: the run time's hash function.
const GOLDEN: i64 = 0x9E37_79B9_7F4A_7C15_u64 as i64;

impl<'c> Lowering<'c> {
    /// After `ta.points_begin`.
    pub(super) fn begin_insertion(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        kind: Kind,
        reduction: Reduction,
    ) -> Result<'c, Insertion<'c>> {
        let tensor = self.storage.kept_in(point.tensor);
        let words = types::memref(types::int(b.context(), 64));
        let state = b.value("ta.points_state", &[tensor], words)?;
        let room = b.variable(words)?;
        view_room(b, tensor, room)?;
        let mut shifts = Vec::new();
        for level in 0..point.format().levels.len() {
            shifts.push(b.load(state, self.storage.constant(SHIFTS + level as i64)?)?);
        }
        Ok(Insertion { kind, reduction, state, room, shifts })
    }

    /// A value comes to a point.
    pub(super) fn insert(
        &mut self,
        b: Builder<'c>,
        insertion: &Insertion<'c>,
        point: &Point<'c>,
        value: Val<'c>,
    ) -> Result<'c, ()> {
        let (len_at, most_at) = (self.storage.constant(LEN)?, self.storage.constant(MOST)?);
        let coordinates = self.point_coordinates(b, point)?;
        let key = self.key(b, insertion, point)?;
        let len = b.load(insertion.state, len_at)?;
        let has_room = b.cmpi(Compare::Lt, len, b.load(insertion.state, most_at)?)?;
        let tensor = self.storage.kept_in(point.tensor);
        b.if_else(
            b.expected(has_room)?,
            &[],
            |b| {
                match insertion.kind {
                    Kind::List => self.append_point(b, insertion, len, key, value)?,
                    Kind::Hash => self.put_point(b, insertion, len, key, value)?,
                }
                Ok(Vec::new())
            },
            |b| {
                let operands = [vec![value, tensor], coordinates].concat();
                b.op("ta.insert", &operands, &[], &[])?;
                view_room(b, tensor, insertion.room)?;
                Ok(Vec::new())
            },
        )?;
        Ok(())
    }

    /// The points of another block of a parallel loop come.
    pub(super) fn next_block(
        &self,
        b: Builder<'c>,
        tensor: Val<'c>,
        insertion: &Insertion<'c>,
    ) -> Result<'c, ()> {
        let tensor = self.storage.kept_in(tensor);
        b.op("ta.points_next", &[tensor], &[], &[])?;
        view_room(b, tensor, insertion.room)
    }

    fn point_coordinates(&mut self, b: Builder<'c>, point: &Point<'c>) -> Result<'c, Vec<Val<'c>>> {
        let unbound = || IrError::at(b.location(), "expected a loop over each index variable of the target");
        let of = |var: &Val<'c>| self.coordinate(b, *var)?.ok_or_else(unbound);
        point.indices.iter().map(of).collect()
    }

    /// The coordinates of a point's levels side by side.
    fn key(&mut self, b: Builder<'c>, insertion: &Insertion<'c>, point: &Point<'c>) -> Result<'c, Val<'c>> {
        let word = types::int(b.context(), 64);
        let mut key = None;
        for (level, shift) in point.format().levels.iter().zip(&insertion.shifts) {
            let Some(coordinate) = self.level_coordinate(b, level.expr, &point.indices)? else { continue };
            let field = b.value("arith.shli", &[b.index_cast(coordinate, word)?, *shift], word)?;
            key = Some(match key {
                Some(others) => b.value("arith.ori", &[others, field], word)?,
                None => field,
            });
        }
        Ok(key.expect("a sparse tensor has a level that stores coordinates"))
    }

    fn append_point(
        &mut self,
        b: Builder<'c>,
        insertion: &Insertion<'c>,
        len: Val<'c>,
        key: Val<'c>,
        value: Val<'c>,
    ) -> Result<'c, ()> {
        let place = b.index_cast(len, types::index(b.context()))?;
        self.write_point(b, insertion, place, key, value)?;
        self.count_point(b, insertion, len)
    }

    /// Linear probing from the key's place on: there is a slot without a point, because the largest number of
    /// points is below that of the slots.
    fn put_point(
        &mut self,
        b: Builder<'c>,
        insertion: &Insertion<'c>,
        len: Val<'c>,
        key: Val<'c>,
        value: Val<'c>,
    ) -> Result<'c, ()> {
        let word = types::int(b.context(), 64);
        let room = b.get(insertion.room)?;
        let (zero, one, two) =
            (self.storage.constant(0)?, self.storage.constant(1)?, self.storage.constant(2)?);
        let slots = b.divi(b.length(room)?, two)?;
        let hash = b.muli(key, b.int(word, GOLDEN)?)?;
        let slots_word = b.index_cast(slots, word)?;
        let product = b.op("arith.mului_extended", &[hash, slots_word], &[word, word], &[])?;
        let first = b.index_cast(product.result(1), types::index(b.context()))?;
        let empty = b.int(word, EMPTY)?;
        let key_at = |b: Builder<'c>, slot: Val<'c>| b.load(room, b.muli(slot, two)?);
        let end = b.while_loop(
            &[first],
            |b, slot| {
                let found = key_at(b, slot[0])?;
                let is_other = b.cmpi(Compare::Ne, found, key)?;
                let is_there = b.cmpi(Compare::Ne, found, empty)?;
                b.value("arith.andi", &[is_other, is_there], types::int(b.context(), 1))
            },
            |b, slot| {
                let next = b.addi(slot[0], one)?;
                let is_end = b.cmpi(Compare::Eq, next, slots)?;
                Ok(vec![b.select(is_end, zero, next)?])
            },
        )?[0];
        let is_new = b.cmpi(Compare::Ne, key_at(b, end)?, key)?;
        let counts_hits = self.instrument == Instrument::Workspaces;
        let hits_at = self.storage.constant(HITS)?;
        b.if_else(
            is_new,
            &[],
            |b| {
                self.write_point(b, insertion, end, key, value)?;
                self.count_point(b, insertion, len)?;
                Ok(Vec::new())
            },
            |b| {
                let place = b.addi(b.muli(end, two)?, one)?;
                let old = of_bits(b, b.load(room, place)?, value.r#type())?;
                let sum = match insertion.reduction {
                    Reduction::Any => old,
                    other => reduce(b, other, old, value)?,
                };
                b.store(bits(b, sum)?, room, place)?;
                if counts_hits {
                    let hits = b.addi(b.load(insertion.state, hits_at)?, b.int(word, 1)?)?;
                    b.store(hits, insertion.state, hits_at)?;
                }
                Ok(Vec::new())
            },
        )?;
        Ok(())
    }

    /// The first value of a point.
    fn write_point(
        &mut self,
        b: Builder<'c>,
        insertion: &Insertion<'c>,
        place: Val<'c>,
        key: Val<'c>,
        value: Val<'c>,
    ) -> Result<'c, ()> {
        let room = b.get(insertion.room)?;
        let at = b.muli(place, self.storage.constant(2)?)?;
        b.store(key, room, at)?;
        let first = begin(b, insertion.reduction, value)?;
        b.store(bits(b, first)?, room, b.addi(at, self.storage.constant(1)?)?)
    }

    fn count_point(&mut self, b: Builder<'c>, insertion: &Insertion<'c>, len: Val<'c>) -> Result<'c, ()> {
        let one = b.int(types::int(b.context(), 64), 1)?;
        b.store(b.addi(len, one)?, insertion.state, self.storage.constant(LEN)?)
    }
}

/// Asks for the room and keeps it in a variable.
fn view_room<'c>(b: Builder<'c>, tensor: Val<'c>, variable: Val<'c>) -> Result<'c, ()> {
    b.set(variable, b.value("ta.points_room", &[tensor], types::memref(types::int(b.context(), 64)))?)
}

/// A value as 64 bits; those of an `f32` are the low ones.
fn bits<'c>(b: Builder<'c>, value: Val<'c>) -> Result<'c, Val<'c>> {
    let (ty, word) = (value.r#type(), types::int(b.context(), 64));
    if ty.is_integer() {
        return Ok(value);
    }
    let own = types::int(b.context(), types::width(ty));
    let bits = b.value("arith.bitcast", &[value], own)?;
    if own == word { Ok(bits) } else { b.value("arith.extui", &[bits], word) }
}

/// The value that 64 bits stand for.
fn of_bits<'c>(b: Builder<'c>, word: Val<'c>, ty: comet_ir::Ty<'c>) -> Result<'c, Val<'c>> {
    if ty.is_integer() {
        return Ok(word);
    }
    let own = types::int(b.context(), types::width(ty));
    let bits = if own == word.r#type() { word } else { b.value("arith.trunci", &[word], own)? };
    b.value("arith.bitcast", &[bits], ty)
}
