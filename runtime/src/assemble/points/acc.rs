//! The accumulator: a bounded number of points, as a list or as a hash table.

use crate::abi::points_state::PointWords;
use crate::assemble::reduction::PointReduction;
use crate::error::Error;
use crate::memory::{Array, check_available};
use crate::tensor::ArrayName;
use crate::values::Value;
use comet_abi::points::{AccumulatorKind, GOLDEN, HITS, LEN, MOST, SHIFTS};

/// The first room of an accumulator, in points: a part of the second-level cache.
const FIRST_ROOM: usize = 1 << 13;

/// The number of points that fit.
#[derive(Clone, Copy)]
pub(super) enum Capacity {
    Given(usize),
    /// As many as the result has so far, so that a point is moved a logarithmic number of times.
    OfResult,
}

impl Capacity {
    pub(super) fn of(given: Option<usize>) -> Self {
        given.map_or(Self::OfResult, |points| Self::Given(points.max(1)))
    }
}

/// Points on their way into the result.
pub(super) struct Acc<V: Value, const W: usize> {
    kind: AccumulatorKind,
    /// Whether the order in which the points of an element came matters.
    order_counts: bool,
    capacity: Capacity,
    /// The room: a list is filled from the front; the empty slots of a table have no key.
    points: Array<PointWords<V, W>>,
    /// The most points in the capacity: searches take long in a table that is nearly full.
    most: usize,
    /// What generated code shares, as [`crate::abi::points_state`] says.
    state: Box<[i64]>,
    /// The points that the room was to have space for when it was made; less may have fit.
    asked: usize,
    /// Points that there was space for at once when the room was made or sorted last.
    in_use: usize,
    tally: Tally,
}

/// What has happened in an accumulator.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    /// Points that came to one that was there; generated code counts its own only where it is asked to.
    pub(super) hits: u64,
    /// Points that were copied because the room became larger.
    pub(super) copied: u64,
    /// The largest number of points that there was room for.
    pub(super) capacity: usize,
    /// The largest number of points that there was space for, that which sorting takes included.
    pub(super) space: usize,
}

impl<V: Value, const W: usize> Acc<V, W> {
    /// Without points; levels are shifted that far in a key.
    pub(super) fn new(
        kind: AccumulatorKind,
        capacity: Capacity,
        reduction: PointReduction,
        shifts: Vec<u32>,
    ) -> Self {
        let state = [0; SHIFTS].into_iter().chain(shifts.into_iter().map(i64::from)).collect();
        let (points, tally) = (Array::empty(), Tally::default());
        let order_counts = reduction.depends_on_order();
        Self { kind, order_counts, capacity, points, most: 0, state, asked: 0, in_use: 0, tally }
    }

    /// The bytes of the room.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.points[..])
    }

    /// The bytes that making it or sorting in it took at once, whichever was last.
    pub(super) fn most_bytes(&self) -> usize {
        self.in_use * size_of::<PointWords<V, W>>()
    }

    pub(super) fn tally(&self) -> Tally {
        Tally { hits: self.state[HITS] as u64, ..self.tally }
    }

    pub(super) fn state(&mut self) -> &mut [i64] {
        &mut self.state
    }

    /// Where the room begins, and its words.
    pub(super) fn room(&mut self) -> (*mut i64, usize) {
        (self.points.as_mut_ptr().cast(), self.points.len() * PointWords::<V, W>::WORDS)
    }

    fn len(&self) -> usize {
        self.state[LEN] as usize
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn set_len(&mut self, len: usize) {
        self.state[LEN] = len as i64;
    }

    /// Takes a point, unless there is no room; a table combines it with the one of the same element.
    pub(super) fn try_insert(&mut self, key: [u64; W], first: V, combine: impl Fn(V) -> V) -> bool {
        match self.kind {
            AccumulatorKind::List | AccumulatorKind::Sequence => {
                self.append(PointWords { key, value: first })
            }
            AccumulatorKind::Hash => self.put(key, first, combine),
        }
    }

    fn append(&mut self, point: PointWords<V, W>) -> bool {
        let len = self.len();
        let Some(place) = self.points.get_mut(len) else { return false };
        *place = point;
        self.set_len(len + 1);
        true
    }

    fn put(&mut self, key: [u64; W], first: V, combine: impl Fn(V) -> V) -> bool {
        let (slot, len) = (self.slot(&key), self.len());
        let (before, behind) = self.points.split_at_mut(slot);
        let is_found = |point: &&mut PointWords<V, W>| point.key == key || !point.is_there();
        let Some(point) = behind.iter_mut().chain(before).find(is_found) else { return false };
        if point.is_there() {
            point.value = combine(point.value);
            self.state[HITS] += 1;
            return true;
        }
        if len >= self.most {
            return false;
        }
        *point = PointWords { key, value: first };
        self.set_len(len + 1);
        true
    }

    /// Where the search for a key begins. Generated code does the same with keys of one word.
    fn slot(&self, key: &[u64; W]) -> usize {
        let hash = key.iter().fold(0u64, |hash, word| (hash.rotate_left(29) ^ word).wrapping_mul(GOLDEN));
        ((u128::from(hash) * self.points.len() as u128) >> 64) as usize
    }

    /// The points that there is to be space for where the result has `result` elements by now: as many, and
    /// as many again for a stable sort.
    fn slots(&self, result: usize) -> usize {
        match self.capacity {
            Capacity::Given(points) => points,
            Capacity::OfResult => result.max(8 * FIRST_ROOM) * if self.sorts_stably() { 2 } else { 1 },
        }
    }

    fn sorts_stably(&self) -> bool {
        match self.kind {
            AccumulatorKind::List => self.order_counts,
            AccumulatorKind::Sequence => true,
            AccumulatorKind::Hash => false,
        }
    }

    /// Makes the room larger where it is below the capacity, before anything has gone on into the result;
    /// says whether it could. A list is emptied first, and then made as large as the capacity at once: to
    /// copy it would take both rooms. What a table holds are as many elements, so that what two of them take
    /// together stays below the capacity and three times the result.
    pub(super) fn grow(&mut self, what: &ArrayName) -> Result<bool, Error> {
        let (room, most) = (self.points.len(), self.slots(0));
        match self.kind {
            AccumulatorKind::List | AccumulatorKind::Sequence if room == 0 => {
                self.make_list(most.min(FIRST_ROOM), what)?
            }
            AccumulatorKind::Hash if room < most => {
                self.enlarge_table((2 * room).max(FIRST_ROOM).min(most), what)?
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Makes the room as large as the capacity is where the result has `result` elements, while there is no
    /// point in it.
    pub(super) fn renew(&mut self, result: usize, what: &ArrayName) -> Result<(), Error> {
        let most = self.slots(result);
        if most <= self.asked {
            return Ok(());
        }
        self.drop_room();
        match self.kind {
            AccumulatorKind::List | AccumulatorKind::Sequence => self.make_list(most, what),
            AccumulatorKind::Hash => self.enlarge_table(most, what),
        }
    }

    /// What is never used takes no memory. Where the room does not fit it nevertheless, half of it does as
    /// well. A list that is sorted stably leaves half of its room to that.
    fn make_list(&mut self, slots: usize, what: &ArrayName) -> Result<(), Error> {
        let mut fitting = slots;
        while fitting > FIRST_ROOM
            && check_available(fitting.saturating_mul(size_of::<PointWords<V, W>>()), what).is_err()
        {
            fitting /= 2;
        }
        self.most = if self.sorts_stably() { (fitting / 2).max(1) } else { fitting };
        self.points = Array::unspecified(self.most, what)?;
        self.asked = slots;
        self.took(fitting, self.most);
        Ok(())
    }

    /// Moves the points into a larger table.
    fn enlarge_table(&mut self, slots: usize, what: &ArrayName) -> Result<(), Error> {
        let (room, len) = (self.points.len(), self.len());
        let mut larger = Array::unspecified(slots, what)?;
        larger.fill(PointWords::nothing());
        let old = std::mem::replace(&mut self.points, larger);
        self.most = (slots - slots / 8).max(1);
        self.set_len(0);
        for point in old.iter().filter(|point| point.is_there()) {
            self.put(point.key, point.value, |_| unreachable!("a table has each key once"));
        }
        self.tally.copied += len as u64;
        self.asked = slots;
        self.took(slots, room + slots);
        Ok(())
    }

    /// A new room takes so much space, that which sorting takes included; meanwhile some more was in use.
    fn took(&mut self, space: usize, in_use: usize) {
        self.state[MOST] = if W == 1 { self.most as i64 } else { 0 };
        self.tally.capacity = self.tally.capacity.max(self.points.len());
        self.tally.space = self.tally.space.max(space);
        self.in_use = in_use;
    }

    /// Leaves no room: the next point makes one.
    fn drop_room(&mut self) {
        self.points = Array::empty();
        (self.most, self.asked) = (0, 0);
        self.state[MOST] = 0;
    }

    /// Begins as for the first block: when points go on into the result must not follow from those of other
    /// blocks, nor from how many a task has had before. Nor is a table sorted, all of whose slots are looked
    /// at, that is large because another block filled it.
    pub(super) fn begin_block(&mut self) {
        if self.points.len() > FIRST_ROOM {
            self.drop_room();
        }
    }

    /// The points; after a table has been sorted.
    pub(super) fn points(&self) -> &[PointWords<V, W>] {
        &self.points[..self.len()]
    }

    /// Puts the points in the order of their keys; those of one element in that in which they came, if it
    /// counts.
    pub(super) fn sort(&mut self) {
        if self.kind == AccumulatorKind::Hash {
            let mut front = 0;
            for slot in 0..self.points.len() {
                if self.points[slot].is_there() {
                    self.points.swap(front, slot);
                    front += 1;
                }
            }
        }
        let (len, stably) = (self.len(), self.sorts_stably());
        let points = &mut self.points[..len];
        if stably {
            points.sort_by_key(|point| point.key);
            // The standard library's takes room for as many points, at most.
            self.in_use = self.points.len() + if len > 1 { len } else { 0 };
        } else {
            points.sort_unstable_by_key(|point| point.key);
        }
    }

    /// Leaves no point.
    pub(super) fn clear(&mut self) {
        if self.kind == AccumulatorKind::Hash {
            let len = self.len();
            self.points[..len].fill(PointWords::nothing());
        }
        self.set_len(0);
    }
}
