//! Points on their way into a hash or list workspace (sparse-workspace.txt, Algorithms 2 and 3).
//!
//! As long as there is room, and the key of a point is one word, the generated code itself appends to the
//! list, or looks the key up in the table: a call would cost more than that. Growing, sorting and contracting
//! are the run time's, to which every other point is handed by `ta.insert`.

use super::Emitter;
use super::env::Env;
use super::operator::{begin, reduce};
use crate::cin_to_scf::plan::{ResultPlan, Strategy};
use crate::instrument::Instrument;
use comet_abi::points::{AccumulatorKind, EMPTY, GOLDEN, HITS, LEN, MOST, SHIFTS};
use comet_ir::{Builder, Compare, IrError, Result, Ty, Val, ta, types};
use comet_notation::Operator;
use comet_notation::concrete::{Access, TensorId};
use melior::ir::{TypeLike, ValueLike};

/// What inserting needs to know of an accumulator.
#[derive(Clone)]
pub(in crate::cin_to_scf) struct Insertion<'c> {
    kind: AccumulatorKind,
    reduction: Option<Operator>,
    /// `ta.points_state`, which stays where it is.
    state: Val<'c>,
    /// The variable of `ta.points_room`, which is asked for anew after each `ta.insert` and `ta.points_next`.
    room: Val<'c>,
    /// By how many bits each level's coordinate is shifted in a key.
    shifts: Vec<Val<'c>>,
    /// The words of a point: its key, and the bits of its value.
    words: i64,
}

impl<'c> Emitter<'_, 'c> {
    /// Begins to collect the values of a tensor with their coordinates.
    pub(super) fn begin_points(&self, env: &Env<'c>, result: &ResultPlan) -> Result<'c, Insertion<'c>> {
        let b = env.b;
        let Strategy::Collect { kind, capacity, reduction, reported_as } = result.strategy else {
            unreachable!("the plan collects its values")
        };
        let tensor = result.access.tensor;
        let word = reduction.map_or("set", Operator::name);
        let begun = ta::PointsBegin::build(b, self.stored_in(env, tensor), word, kind.name())?;
        begun.set_capacity(capacity.map(|points| points as i64));
        if self.options.instrument == Instrument::Workspaces {
            begun.set_counted(Some(&self.compute.tensor(reported_as).name));
        }
        let tensor = self.kept_in(tensor);
        let words = types::memref(types::int(b.context(), 64));
        let state = ta::PointsState::build(b, tensor, words)?.array();
        let room = b.variable(words)?;
        view_room(b, tensor, room)?;
        let mut shifts = Vec::new();
        for level in 0..self.levels(&result.access).len() {
            shifts.push(b.load(state, state_place(b, SHIFTS + level)?)?);
        }
        let value = self.of(result.access.tensor).computed();
        let words = 1 + value.bytes().div_ceil(8) as i64;
        Ok(Insertion { kind, reduction, state, room, shifts, words })
    }

    /// A value comes to a point.
    pub(super) fn insert(
        &self,
        env: &Env<'c>,
        insertion: &Insertion<'c>,
        access: &Access,
        value: Val<'c>,
    ) -> Result<'c, ()> {
        let b = env.b;
        let (len_at, most_at) = (state_place(b, LEN)?, state_place(b, MOST)?);
        let coordinates = self.point_coordinates(env, access)?;
        let key = self.key(env, insertion, access)?;
        let len = b.load(insertion.state, len_at)?;
        let has_room = b.cmpi(Compare::Lt, len, b.load(insertion.state, most_at)?)?;
        let (tensor, instrument) = (self.kept_in(access.tensor), self.options.instrument);
        b.branch(
            b.expected(has_room)?,
            |b| match insertion.kind {
                AccumulatorKind::List | AccumulatorKind::Sequence => {
                    insertion.append_point(b, len, key, value)
                }
                AccumulatorKind::Hash => insertion.put_point(b, (len, key, value), instrument),
            },
            |b| {
                ta::Insert::build(b, value, tensor, &coordinates)?;
                view_room(b, tensor, insertion.room)
            },
        )
    }

    /// The points of another block of a parallel loop come.
    pub(super) fn next_block(&self, env: &Env<'c>, tensor: TensorId) -> Result<'c, ()> {
        let b = env.b;
        let stored = self.kept_in(tensor);
        ta::PointsNext::build(b, stored)?;
        view_room(b, stored, env.insertion(tensor).room)
    }

    fn point_coordinates(&self, env: &Env<'c>, access: &Access) -> Result<'c, Vec<Val<'c>>> {
        let unbound =
            || IrError::at(env.b.location(), "expected a loop over each index variable of the target");
        access.indices.iter().map(|var| self.coordinate(env, *var)?.ok_or_else(unbound)).collect()
    }

    /// The coordinates of a point's levels side by side.
    fn key(&self, env: &Env<'c>, insertion: &Insertion<'c>, access: &Access) -> Result<'c, Val<'c>> {
        let b = env.b;
        let word = types::int(b.context(), 64);
        let mut key = None;
        for (level, shift) in self.levels(access).iter().zip(&insertion.shifts) {
            let Some(coordinate) = self.level_coordinate(env, level.expr, &access.indices)? else {
                continue;
            };
            let field = b.value("arith.shli", &[b.index_cast(coordinate, word)?, *shift], word)?;
            key = Some(b.joined("or", key, field)?);
        }
        Ok(key.expect("a sparse tensor has a level that stores coordinates"))
    }
}

impl<'c> Insertion<'c> {
    /// After the last of the list.
    fn append_point(&self, b: Builder<'c>, len: Val<'c>, key: Val<'c>, value: Val<'c>) -> Result<'c, ()> {
        let slot = b.index_cast(len, types::index(b.context()))?;
        self.write_point(b, slot, key, value)?;
        self.count_point(b, len)
    }

    /// Into a new slot of the table, or to the point of its element.
    fn put_point(
        &self,
        b: Builder<'c>,
        (len, key, value): (Val<'c>, Val<'c>, Val<'c>),
        instrument: Instrument,
    ) -> Result<'c, ()> {
        let slot = self.slot_of(b, key)?;
        let is_new = b.cmpi(Compare::Ne, self.key_at(b, b.get(self.room)?, slot)?, key)?;
        b.branch(
            is_new,
            |b| {
                self.write_point(b, slot, key, value)?;
                self.count_point(b, len)
            },
            |b| {
                self.combine_point(b, slot, value)?;
                if instrument == Instrument::Workspaces { self.count_hit(b) } else { Ok(()) }
            },
        )
    }

    /// The slot of the table with a key, or the one without a point that is to take it. There is one or the
    /// other: code comes here only while there are fewer points than it may bring the table to, and that is
    /// at most the number of slots.
    fn slot_of(&self, b: Builder<'c>, key: Val<'c>) -> Result<'c, Val<'c>> {
        let room = b.get(self.room)?;
        let slots = b.divi(b.length(room)?, b.index(self.words)?)?;
        let first = hashed_slot(b, key, slots)?;
        let empty = b.int(types::int(b.context(), 64), EMPTY as i64)?;
        let found = b.while_loop(
            &[first],
            |b, slot| {
                let found = self.key_at(b, room, slot[0])?;
                let is_other = b.cmpi(Compare::Ne, found, key)?;
                let is_there = b.cmpi(Compare::Ne, found, empty)?;
                b.value_op("and", is_other, is_there)
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
        let room = b.get(self.room)?;
        let words = self.places_of_bits(b, slot)?;
        let words = words.into_iter().map(|place| b.load(room, place)).collect::<Result<'c, Vec<_>>>()?;
        let old = of_bits(b, &words, value.r#type())?;
        self.write_bits(b, slot, reduce(b, self.reduction, old, value)?)
    }

    /// The first value of a point.
    fn write_point(&self, b: Builder<'c>, slot: Val<'c>, key: Val<'c>, value: Val<'c>) -> Result<'c, ()> {
        let room = b.get(self.room)?;
        b.store(key, room, self.key_place(b, slot)?)?;
        // Values that come in order are begun where the first of an element comes to the result.
        let comes_in_order = self.reduction.is_some_and(Operator::keeps_order);
        let first = if comes_in_order { value } else { begin(b, self.reduction, value)? };
        self.write_bits(b, slot, first)
    }

    fn write_bits(&self, b: Builder<'c>, slot: Val<'c>, value: Val<'c>) -> Result<'c, ()> {
        let room = b.get(self.room)?;
        let places = self.places_of_bits(b, slot)?;
        bits(b, value)?.into_iter().zip(places).try_for_each(|(word, place)| b.store(word, room, place))
    }

    fn count_point(&self, b: Builder<'c>, len: Val<'c>) -> Result<'c, ()> {
        let one = b.int(types::int(b.context(), 64), 1)?;
        b.store(b.addi(len, one)?, self.state, state_place(b, LEN)?)
    }

    fn count_hit(&self, b: Builder<'c>) -> Result<'c, ()> {
        let (place, one) = (state_place(b, HITS)?, b.int(types::int(b.context(), 64), 1)?);
        b.store(b.addi(b.load(self.state, place)?, one)?, self.state, place)
    }

    fn key_at(&self, b: Builder<'c>, room: Val<'c>, slot: Val<'c>) -> Result<'c, Val<'c>> {
        b.load(room, self.key_place(b, slot)?)
    }

    /// Where the key of a slot stands in the room.
    fn key_place(&self, b: Builder<'c>, slot: Val<'c>) -> Result<'c, Val<'c>> {
        b.muli(slot, b.index(self.words)?)
    }

    /// Where the bits of a slot's value stand in the room.
    fn places_of_bits(&self, b: Builder<'c>, slot: Val<'c>) -> Result<'c, Vec<Val<'c>>> {
        let key = self.key_place(b, slot)?;
        (1..self.words).map(|word| b.addi(key, b.index(word)?)).collect()
    }
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
    b.set(variable, ta::PointsRoom::build(b, tensor, types::memref(types::int(b.context(), 64)))?.array())
}

/// A value as words of 64 bits; the bits of an `f32` are the low ones. The parts of a complex value share a
/// word, or have one each.
fn bits<'c>(b: Builder<'c>, value: Val<'c>) -> Result<'c, Vec<Val<'c>>> {
    let (ty, word) = (value.r#type(), types::int(b.context(), 64));
    if ty.is_integer() {
        return Ok(vec![value]);
    }
    if types::is_complex(ty) {
        let [re, im] = b.complex_parts(value)?;
        let [re, im] = [bits(b, re)?[0], bits(b, im)?[0]];
        return match types::width(ty) {
            64 => Ok(vec![b.value_op("or", re, b.value("arith.shli", &[im, b.int(word, 32)?], word)?)?]),
            _ => Ok(vec![re, im]),
        };
    }
    let own = types::int(b.context(), types::width(ty));
    let bits = b.value("arith.bitcast", &[value], own)?;
    Ok(vec![if own == word { bits } else { b.value("arith.extui", &[bits], word)? }])
}

/// The value that words of 64 bits stand for.
fn of_bits<'c>(b: Builder<'c>, words: &[Val<'c>], ty: Ty<'c>) -> Result<'c, Val<'c>> {
    let word = words[0];
    if ty.is_integer() {
        return Ok(word);
    }
    if types::is_complex(ty) {
        let part = types::part(ty);
        let im = match words {
            [_, im] => *im,
            _ => b.shift_right(word, b.int(word.r#type(), 32)?)?,
        };
        return b.complex_of([of_bits(b, &[word], part)?, of_bits(b, &[im], part)?]);
    }
    let own = types::int(b.context(), types::width(ty));
    let bits = if own == word.r#type() { word } else { b.value("arith.trunci", &[word], own)? };
    b.value("arith.bitcast", &[bits], ty)
}
