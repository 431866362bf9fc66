//! Points on their way into a hash or list workspace (sparse-workspace.txt, Algorithms 2 and 3).
//!
//! As long as there is room, and the key of a point is one word, the generated code itself appends to the
//! list, or looks the key up in the table: a call would cost more than that. Growing, sorting and contracting
//! are the run time's, to which every other point is handed by `ta.insert`.

use super::Lowering;
use super::operator::{begin, reduce};
use super::point::Point;
use crate::instrument::Instrument;
use comet_abi::points::{AccumulatorKind as Kind, EMPTY, GOLDEN, HITS, LEN, MOST, SHIFTS};
use comet_dialects::cin::AssignOperation;
use comet_ir::{Builder, Compare, IrError, Op, Result, Val, types};
use comet_passes::cin::sparse_workspace::packed_into;
use comet_passes::nest::{self, WorkspaceKind, optional_integer};
use comet_passes::operator::Reduction;
use melior::ir::{TypeLike, ValueLike};

/// What inserting needs to know of an accumulator.
#[derive(Clone)]
pub(super) struct Insertion<'c> {
    pub(super) kind: Kind,
    pub(super) reduction: Reduction,
    /// `ta.points_state`, which stays where it is.
    state: Val<'c>,
    /// The variable of `ta.points_room`, which is asked for anew after each `ta.insert` and `ta.points_next`.
    room: Val<'c>,
    /// By how many bits each level's coordinate is shifted in a key.
    shifts: Vec<Val<'c>>,
}

/// What points are collected in.
pub(super) struct Accumulator {
    kind: Kind,
    /// So many points, if that is given.
    capacity: Option<i64>,
}

impl Default for Accumulator {
    fn default() -> Self {
        Self { kind: Kind::List, capacity: None }
    }
}

impl Accumulator {
    /// That of a hash or list workspace.
    pub(super) fn of(tensor: Val<'_>) -> Option<Self> {
        let temporary = nest::temporary(tensor)?;
        let kind = match WorkspaceKind::of(temporary) {
            WorkspaceKind::Hash => Kind::Hash,
            WorkspaceKind::List => Kind::List,
            _ => return None,
        };
        Some(Self { kind, capacity: optional_integer(*temporary, "capacity") })
    }
}

impl<'c> Lowering<'c> {
    /// Begins to collect points; they must all combine in one way.
    pub(super) fn begin_points(
        &mut self,
        b: Builder<'c>,
        scope: Op<'c>,
        point: &Point<'c>,
        accumulator: Accumulator,
    ) -> Result<'c, Insertion<'c>> {
        let assigns = scope.descendants::<AssignOperation>().into_iter();
        let own: Vec<Op<'c>> = assigns.filter(|assign| Point::of(*assign).tensor == point.tensor).collect();
        let mut reductions = own.iter().copied().map(Reduction::of);
        let first = reductions.next().expect("the tensor is assigned to");
        if reductions.any(|other| other != first) {
            return Err(IrError::not_supported(b.location(), "several reductions into one sparse tensor"));
        }
        let kind = if self.sums.keeps_order(own[0].typed()) { Kind::Sequence } else { accumulator.kind };
        let mut attributes =
            vec![("reduction", b.string_attribute(first.word())), ("kind", b.string_attribute(kind.name()))];
        attributes.extend(accumulator.capacity.map(|points| ("capacity", b.i64_attribute(points))));
        if self.instrument == Instrument::Workspaces {
            // A workspace that is packed into a tensor in the end is that tensor's.
            let packed = nest::temporary(point.tensor).and_then(packed_into);
            let name = nest::name(packed.unwrap_or(point.tensor));
            attributes.push(("counted", b.string_attribute(&name)));
        }
        b.op("ta.points_begin", &[self.stored_in(point.tensor)], &[], &attributes)?;
        self.begin_insertion(b, point, kind, first)
    }

    /// After `ta.points_begin`.
    fn begin_insertion(
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
            shifts.push(b.load(state, state_place(b, SHIFTS + level)?)?);
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
        let (len_at, most_at) = (state_place(b, LEN)?, state_place(b, MOST)?);
        let coordinates = self.point_coordinates(b, point)?;
        let key = self.key(b, insertion, point)?;
        let len = b.load(insertion.state, len_at)?;
        let has_room = b.cmpi(Compare::Lt, len, b.load(insertion.state, most_at)?)?;
        let (tensor, instrument) = (self.storage.kept_in(point.tensor), self.instrument);
        b.if_else(
            b.expected(has_room)?,
            &[],
            |b| {
                match insertion.kind {
                    Kind::List | Kind::Sequence => insertion.append_point(b, len, key, value)?,
                    Kind::Hash => insertion.put_point(b, len, key, value, instrument)?,
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
}

impl<'c> Insertion<'c> {
    /// Behind those of the list.
    fn append_point(&self, b: Builder<'c>, len: Val<'c>, key: Val<'c>, value: Val<'c>) -> Result<'c, ()> {
        let slot = b.index_cast(len, types::index(b.context()))?;
        self.write_point(b, slot, key, value)?;
        self.count_point(b, len)
    }

    /// Into a new slot of the table, or to the point of its element.
    fn put_point(
        &self,
        b: Builder<'c>,
        len: Val<'c>,
        key: Val<'c>,
        value: Val<'c>,
        instrument: Instrument,
    ) -> Result<'c, ()> {
        let slot = self.slot_of(b, key)?;
        let is_new = b.cmpi(Compare::Ne, key_at(b, b.get(self.room)?, slot)?, key)?;
        b.if_else(
            is_new,
            &[],
            |b| {
                self.write_point(b, slot, key, value)?;
                self.count_point(b, len)?;
                Ok(Vec::new())
            },
            |b| {
                self.combine_point(b, slot, value)?;
                if instrument == Instrument::Workspaces {
                    self.count_hit(b)?;
                }
                Ok(Vec::new())
            },
        )?;
        Ok(())
    }

    /// The slot of the table with a key, or the one without a point that is to take it. There is one or the
    /// other: code comes here only while there are fewer points than it may bring the table to, and that is
    /// at most the number of slots.
    fn slot_of(&self, b: Builder<'c>, key: Val<'c>) -> Result<'c, Val<'c>> {
        let room = b.get(self.room)?;
        let slots = b.divi(b.length(room)?, b.index(2)?)?;
        let first = hashed_slot(b, key, slots)?;
        let empty = b.int(types::int(b.context(), 64), EMPTY as i64)?;
        let found = b.while_loop(
            &[first],
            |b, slot| {
                let found = key_at(b, room, slot[0])?;
                let is_other = b.cmpi(Compare::Ne, found, key)?;
                let is_there = b.cmpi(Compare::Ne, found, empty)?;
                b.value("arith.andi", &[is_other, is_there], types::int(b.context(), 1))
            },
            |b, slot| {
                let next = b.addi(slot[0], b.index(1)?)?;
                let is_end = b.cmpi(Compare::Eq, next, slots)?;
                Ok(vec![b.select(is_end, b.index(0)?, next)?])
            },
        )?;
        Ok(found[0])
    }

    /// A value comes to the point in a slot of the table.
    fn combine_point(&self, b: Builder<'c>, slot: Val<'c>, value: Val<'c>) -> Result<'c, ()> {
        let (room, place) = (b.get(self.room)?, bits_place(b, slot)?);
        let old = of_bits(b, b.load(room, place)?, value.r#type())?;
        let combined = reduce(b, self.reduction, old, value)?;
        b.store(bits(b, combined)?, room, place)
    }

    /// The first value of a point.
    fn write_point(&self, b: Builder<'c>, slot: Val<'c>, key: Val<'c>, value: Val<'c>) -> Result<'c, ()> {
        let room = b.get(self.room)?;
        b.store(key, room, key_place(b, slot)?)?;
        let first = begin(b, self.reduction, value)?;
        b.store(bits(b, first)?, room, bits_place(b, slot)?)
    }

    fn count_point(&self, b: Builder<'c>, len: Val<'c>) -> Result<'c, ()> {
        let one = b.int(types::int(b.context(), 64), 1)?;
        b.store(b.addi(len, one)?, self.state, state_place(b, LEN)?)
    }

    fn count_hit(&self, b: Builder<'c>) -> Result<'c, ()> {
        let (place, one) = (state_place(b, HITS)?, b.int(types::int(b.context(), 64), 1)?);
        b.store(b.addi(b.load(self.state, place)?, one)?, self.state, place)
    }
}

fn key_at<'c>(b: Builder<'c>, room: Val<'c>, slot: Val<'c>) -> Result<'c, Val<'c>> {
    b.load(room, key_place(b, slot)?)
}

/// Where the key of a slot stands in the room.
fn key_place<'c>(b: Builder<'c>, slot: Val<'c>) -> Result<'c, Val<'c>> {
    b.muli(slot, b.index(2)?)
}

/// Where the bits of a slot's value stand in the room.
fn bits_place<'c>(b: Builder<'c>, slot: Val<'c>) -> Result<'c, Val<'c>> {
    b.addi(key_place(b, slot)?, b.index(1)?)
}

fn state_place<'c>(b: Builder<'c>, place: usize) -> Result<'c, Val<'c>> {
    b.index(place as i64)
}

/// The slot where the search for a key begins.
fn hashed_slot<'c>(b: Builder<'c>, key: Val<'c>, slots: Val<'c>) -> Result<'c, Val<'c>> {
    let word = types::int(b.context(), 64);
    let hash = b.muli(key, b.int(word, GOLDEN as i64)?)?;
    let product = b.op("arith.mului_extended", &[hash, b.index_cast(slots, word)?], &[word, word], &[])?;
    b.index_cast(product.result(1), types::index(b.context()))
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
