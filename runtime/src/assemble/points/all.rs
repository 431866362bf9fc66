//! The result so far: each element once, in order, as a struct of arrays.

use super::super::reduction::PointReduction;
use super::SHRINK;
use crate::abi::points_state::PointWords;
use crate::error::Error;
use crate::memory::{Array, check_available};
use crate::tensor::ArrayName;
use crate::values::Value;

/// Keys, a column for each of their words, and values.
pub(super) struct All<V: Value, const W: usize> {
    words: [Vec<u64>; W],
    values: Array<V>,
    tally: Tally,
}

/// What has happened in the result so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    /// Elements that were written, new ones and those that made way for them.
    pub(super) merged: u64,
    /// Elements that were copied because the arrays became larger.
    pub(super) copied: u64,
    /// The most bytes that were in use at once.
    pub(super) bytes: usize,
}

impl Tally {
    /// With what has happened in a result that was merged into this one.
    pub(super) fn and(self, other: Self) -> Self {
        let (merged, copied) = (self.merged + other.merged, self.copied + other.copied);
        Self { merged, copied, bytes: self.bytes }
    }
}

impl<V: Value, const W: usize> All<V, W> {
    pub(super) fn new() -> Self {
        Self { words: [const { Vec::new() }; W], values: Array::empty(), tally: Tally::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// The bytes of the arrays.
    pub(super) fn bytes(&self) -> usize {
        self.words[0].capacity() * (W * size_of::<u64>() + size_of::<V>())
    }

    pub(super) fn tally(&self) -> Tally {
        self.tally
    }

    pub(super) fn add_tally(&mut self, other: Tally) {
        self.tally = self.tally.and(other);
    }

    /// Returns the columns of the keys, without the unused capacity, and the values.
    pub(super) fn into_parts(mut self) -> (Vec<Vec<u64>>, Array<V>) {
        self.words.iter_mut().for_each(Vec::shrink_to_fit);
        (self.words.into(), self.values)
    }

    /// Takes points in order. Elements after all of them stay where they are; the others are merged from the
    /// last one on, so that no second array is needed.
    pub(super) fn contract(
        &mut self,
        points: &(impl Sorted<V, W> + ?Sized),
        reduction: PointReduction,
        what: &ArrayName,
    ) -> Result<(), Error> {
        if points.len() == 0 {
            return Ok(());
        }
        let kept = self.first_from(&points.key(0));
        let new = self.count_new(points, kept);
        let len = self.len();
        self.lengthen(len + new, what)?;
        let (mut old, mut place, mut rest) = (len, len + new, points.len());
        while rest > 0 {
            let last = points.key(rest - 1);
            while old > kept && self.key(old - 1) > last {
                (old, place) = (old - 1, place - 1);
                self.put(place, self.key(old), self.values[old]);
            }
            let end = rest;
            while rest > 0 && points.key(rest - 1) == last {
                rest -= 1;
            }
            let is_there = old > kept && self.key(old - 1) == last;
            old -= usize::from(is_there);
            // Each has been begun for itself, unless they come in order, and comes after what is there.
            let (first, others) = match is_there {
                true => (self.values[old], rest),
                false if reduction.comes_in_order() => (reduction.begin(points.value(rest)), rest + 1),
                false => (points.value(rest), rest + 1),
            };
            let value = (others..end).fold(first, |sum, at| reduction.combine(sum, points.value(at)));
            place -= 1;
            self.put(place, last, value);
        }
        self.tally.merged += (len + new - place) as u64;
        Ok(())
    }

    fn key(&self, place: usize) -> [u64; W] {
        std::array::from_fn(|word| self.words[word][place])
    }

    fn put(&mut self, place: usize, key: [u64; W], value: V) {
        for (column, word) in self.words.iter_mut().zip(key) {
            column[place] = word;
        }
        self.values[place] = value;
    }

    /// Returns whether a key comes after all elements.
    pub(super) fn is_before(&self, key: &[u64; W]) -> bool {
        self.len() > 0 && self.key(self.len() - 1) < *key
    }

    /// The place of the first element that is not below a key.
    fn first_from(&self, key: &[u64; W]) -> usize {
        let (mut from, mut to) = (0, self.len());
        if to == 0 || self.key(to - 1) < *key {
            return to;
        }
        while from < to {
            let middle = from.midpoint(to);
            if self.key(middle) < *key { from = middle + 1 } else { to = middle }
        }
        from
    }

    /// The number of different keys among the points that no element from `kept` on has.
    fn count_new(&self, points: &(impl Sorted<V, W> + ?Sized), kept: usize) -> usize {
        let (mut place, mut new) = (kept, 0);
        for at in 0..points.len() {
            let key = points.key(at);
            if at > 0 && points.key(at - 1) == key {
                continue;
            }
            while place < self.len() && self.key(place) < key {
                place += 1;
            }
            new += usize::from(place == self.len() || self.key(place) != key);
        }
        new
    }

    /// Makes the arrays longer. Where they become much longer, there are few such steps; else their capacity
    /// grows by half, at least.
    fn lengthen(&mut self, len: usize, what: &ArrayName) -> Result<(), Error> {
        let (old, room) = (self.len(), self.words[0].capacity());
        if len > room {
            let larger = if len - old > old / SHRINK { len } else { len.max(room + room / 2) };
            check_available(larger * (W * size_of::<u64>() + size_of::<V>()), what)?;
            self.words.iter_mut().for_each(|column| column.reserve_exact(larger - old));
            self.values.extend(larger, what)?;
            self.values.truncate(old);
            self.tally.copied += old as u64;
            self.tally.bytes = self.tally.bytes.max(bytes_while_growing::<V, W>(room, larger));
        }
        self.words.iter_mut().for_each(|column| column.resize(len, 0));
        self.values.extend(len, what)
    }
}

/// One array after another is copied into a larger one, the values last.
fn bytes_while_growing<V: Value, const W: usize>(room: usize, larger: usize) -> usize {
    let (word, value) = (size_of::<u64>(), size_of::<V>());
    let with_last_word = W * word * larger + (word + value) * room;
    let with_values = W * word * larger + value * (room + larger);
    with_last_word.max(with_values)
}

/// Keys that never fall, with values.
pub(super) trait Sorted<V: Value, const W: usize> {
    fn len(&self) -> usize;
    fn key(&self, at: usize) -> [u64; W];
    fn value(&self, at: usize) -> V;
}

impl<V: Value, const W: usize> Sorted<V, W> for [PointWords<V, W>] {
    fn len(&self) -> usize {
        <[PointWords<V, W>]>::len(self)
    }

    fn key(&self, at: usize) -> [u64; W] {
        self[at].key
    }

    fn value(&self, at: usize) -> V {
        self[at].value
    }
}

impl<V: Value, const W: usize> Sorted<V, W> for All<V, W> {
    fn len(&self) -> usize {
        All::len(self)
    }

    fn key(&self, at: usize) -> [u64; W] {
        All::key(self, at)
    }

    fn value(&self, at: usize) -> V {
        self.values[at]
    }
}
