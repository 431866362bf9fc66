//! The result so far: each element once, in order, as a struct of arrays.

use super::super::reduction::Reduction;
use super::acc::Point;
use crate::error::Error;
use crate::memory::{Array, check_available};
use crate::tensor::ArrayName;
use crate::values::Value;

/// Keys, a column for each of their words, and values.
pub(super) struct All<V: Value, const W: usize> {
    words: [Vec<u64>; W],
    values: Array<V>,
}

impl<V: Value, const W: usize> All<V, W> {
    pub(super) fn new() -> Self {
        Self { words: [const { Vec::new() }; W], values: Array::empty() }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// The columns of the keys, and the values.
    pub(super) fn into_parts(self) -> (Vec<Vec<u64>>, Array<V>) {
        (self.words.into(), self.values)
    }

    /// Takes sorted points. Elements behind all of them stay where they are; the others are merged from the
    /// last one on, so that no second array is needed.
    pub(super) fn contract(
        &mut self,
        points: &[Point<W>],
        reduction: Reduction,
        what: &ArrayName,
    ) -> Result<(), Error> {
        let Some(first) = points.first() else { return Ok(()) };
        let kept = self.first_from(&first.key);
        let new = self.count_new(points, kept);
        let len = self.len();
        self.lengthen(len + new, what)?;
        let (mut old, mut place, mut rest) = (len, len + new, points);
        while let Some((last, before)) = rest.split_last() {
            while old > kept && self.key(old - 1) > last.key {
                (old, place) = (old - 1, place - 1);
                self.put(place, self.key(old), self.values[old]);
            }
            let run = before.iter().rev().take_while(|point| point.key == last.key).count() + 1;
            let (others, same) = rest.split_at(rest.len() - run);
            let value = combined(same, reduction);
            if old > kept && self.key(old - 1) == last.key {
                (old, place) = (old - 1, place - 1);
                self.put(place, last.key, reduction.combine(self.values[old], value));
            } else {
                place -= 1;
                self.put(place, last.key, value);
            }
            rest = others;
        }
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
    fn count_new(&self, points: &[Point<W>], kept: usize) -> usize {
        let mut place = kept;
        let mut new = 0;
        for run in points.chunk_by(|a, b| a.key == b.key) {
            while place < self.len() && self.key(place) < run[0].key {
                place += 1;
            }
            new += usize::from(place == self.len() || self.key(place) != run[0].key);
        }
        new
    }

    /// Makes the arrays longer; their capacity grows by half, at least.
    fn lengthen(&mut self, len: usize, what: &ArrayName) -> Result<(), Error> {
        let room = self.words[0].capacity();
        if len > room {
            let old = self.len();
            let larger = len.max(room + room / 2);
            check_available(larger * (W * size_of::<u64>() + size_of::<V>()), what)?;
            self.words.iter_mut().for_each(|column| column.reserve_exact(larger - column.len()));
            self.values.extend(larger, what)?;
            self.values.truncate(old);
        }
        self.words.iter_mut().for_each(|column| column.resize(len, 0));
        self.values.extend(len, what)
    }
}

/// The value of some points of one element, which have been begun each for itself.
fn combined<V: Value, const W: usize>(points: &[Point<W>], reduction: Reduction) -> V {
    let mut values = points.iter().map(|point| V::from_bits(point.bits));
    let first = values.next().expect("a run has a point");
    values.fold(first, |old, new| reduction.combine(old, new))
}
