//! Building levels from sorted keys, from the outside in.
//!
//! The state between two levels is a list of fibers: the range of entries under each position of the level
//! above. A level stores its arrays and hands on the fibers of its own positions.

use super::dense::size_as_pos;
use super::keys::Keys;
use crate::error::Error;
use crate::memory::{Array, check_available, checked_product, zeroed_vec};
use crate::presence::Presence;
use crate::tensor::{ArrayName, Index, IndexArray, LevelStorage, Tensor};
use crate::values::Value;
use comet_format::{Level, LevelExpr, LevelKind};
use rayon::prelude::*;
use std::ops::Range;

/// Coordinates that one task copies.
const TASK: usize = 1 << 15;
/// The coordinate of a position that holds nothing: −1 in either width.
pub(super) const NOTHING: u64 = u64::MAX;

pub(super) struct LevelBuilder<'a, I> {
    pub(super) tensor: &'a Tensor,
    pub(super) levels: &'a [Level],
    pub(super) keys: &'a Keys,
    pub(super) entries: usize,
    pub(super) fibers: Fibers,
    built: Vec<LevelStorage>,
    /// The most bytes that were in use at once besides the keys and what is built.
    scratch: usize,
    width: std::marker::PhantomData<I>,
}

/// What was built.
pub(super) struct Built<V: Value> {
    pub(super) levels: Vec<LevelStorage>,
    pub(super) values: Array<V>,
    pub(super) present: Presence,
    /// The most bytes that were in use at once besides the keys, the levels and these values.
    pub(super) scratch: usize,
}

/// The entries under each position.
pub(super) enum Fibers {
    /// Position p holds the entries from the p-th of these to the next.
    Starts(Vec<usize>),
    /// Position p holds entry p.
    Entries(usize),
}

impl Fibers {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Starts(starts) => starts.len() - 1,
            Self::Entries(entries) => *entries,
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Starts(starts) => starts.capacity() * size_of::<usize>(),
            Self::Entries(_) => 0,
        }
    }

    pub(super) fn of(&self, position: usize) -> Range<usize> {
        match self {
            Self::Starts(starts) => starts[position]..starts[position + 1],
            Self::Entries(_) => position..position + 1,
        }
    }
}

impl<'a, I: Index> LevelBuilder<'a, I> {
    pub(super) fn new(tensor: &'a Tensor, keys: &'a Keys, entries: usize) -> Self {
        let levels = &tensor.format.format.levels;
        let fibers = Fibers::Starts(vec![0, entries]);
        let (built, width) = (Vec::new(), std::marker::PhantomData);
        Self { tensor, levels, keys, entries, fibers, built, scratch: 0, width }
    }

    /// Builds all levels and puts the values, which come in the order of the keys, at their positions.
    pub(super) fn build<V: Value>(mut self, values: Array<V>) -> Result<Built<V>, Error> {
        self.check_width()?;
        let tail =
            self.levels.len() - self.levels.iter().rev().take_while(|level| is_plain_dense(level)).count();
        while self.built.len() < tail {
            self.build_next()?;
        }
        let sizes: Vec<i64> = (tail..self.levels.len()).map(|level| self.tensor.level_size(level)).collect();
        for size in &sizes {
            self.push(size_as_pos::<I>(*size, &self.tensor.name)?, IndexArray::I32(Array::empty()));
        }
        let given = values.as_ptr();
        let bytes = size_of_val(&values[..]);
        let (values, present) = self.place(values, tail, &sizes)?;
        if values.as_ptr() != given {
            self.scratch += bytes;
        }
        Ok(Built { levels: self.built, values, present, scratch: self.scratch })
    }

    /// What the next level begins with; `besides` bytes were in use in making it.
    pub(super) fn hand_on(&mut self, fibers: Fibers, besides: usize) {
        self.scratch = self.scratch.max(self.fibers.bytes() + fibers.bytes() + besides);
        self.fibers = fibers;
    }

    fn build_next(&mut self) -> Result<(), Error> {
        let level = self.built.len();
        match (self.levels[level].kind, self.levels[level].expr) {
            (LevelKind::Dense, LevelExpr::Slot) => self.slots(level),
            (LevelKind::Dense, _) => self.dense(level),
            (LevelKind::CompressedUnique, _) => self.compressed(level..level + 1),
            (LevelKind::CompressedNonUnique, _) => self.compressed(level..self.end_of_singletons(level + 1)),
            (LevelKind::Singleton, _) => self.singleton(level),
            (LevelKind::BitVector(bits), _) => self.bit_vector(level, bits as usize),
        }
    }

    pub(super) fn end_of_singletons(&self, from: usize) -> usize {
        let singletons = self.levels[from..].iter().take_while(|level| level.kind == LevelKind::Singleton);
        from + singletons.count()
    }

    /// D: a position for every coordinate under every parent.
    fn dense(&mut self, level: usize) -> Result<(), Error> {
        let size = self.tensor.level_size(level);
        let positions = checked_product(&[self.fibers.len(), size as usize], &self.name("positions"))?;
        let mut starts = self.zero_starts(positions)?;
        for parent in 0..self.fibers.len() {
            for entry in self.fibers.of(parent) {
                starts[parent * size as usize + self.keys.coordinate(level, entry) as usize + 1] += 1;
            }
        }
        add_up(&mut starts);
        self.hand_on(Fibers::Starts(starts), 0);
        self.push(size_as_pos::<I>(size, &self.tensor.name)?, IndexArray::I32(Array::empty()));
        Ok(())
    }

    /// CU, or CN with the S levels right below it: a position for each distinct tuple of coordinates.
    fn compressed(&mut self, group: Range<usize>) -> Result<(), Error> {
        let (pos, runs) = self.runs(group.clone())?;
        let mut pos = Some(pos);
        for level in group {
            let crd = self.run_coordinates(level, &runs)?;
            self.push(pos.take().map_or(I::store(Array::empty()), I::store), crd);
        }
        self.hand_on(runs, 0);
        Ok(())
    }

    /// The runs of entries that agree in these levels under one parent, and where each parent's runs begin.
    fn runs(&self, group: Range<usize>) -> Result<(Array<I>, Fibers), Error> {
        let parents = self.fibers.len();
        let mut pos = Array::<I>::zeroed(parents + 1, &self.name("pos"))?;
        if group.end == self.levels.len() {
            // Keys are unique, so that each entry is a run of its own below the last level.
            for parent in 0..parents {
                pos[parent + 1] = I::truncate(self.fibers.of(parent).end as u64);
            }
            return Ok((pos, Fibers::Entries(self.entries)));
        }
        let mut starts = self.room_for_starts(group.end)?;
        for parent in 0..parents {
            self.push_run_starts(parent, group.clone(), &mut starts);
            pos[parent + 1] = I::truncate(starts.len() as u64);
        }
        starts.push(self.entries);
        Ok((pos, Fibers::Starts(starts)))
    }

    pub(super) fn push_run_starts(&self, parent: usize, group: Range<usize>, starts: &mut Vec<usize>) {
        let entries = self.fibers.of(parent);
        let first = entries.start;
        let begins = |&entry: &usize| entry == first || !self.keys.agree(group.clone(), entry - 1, entry);
        starts.extend(entries.filter(begins));
    }

    /// Room for the starts of all runs of entries that agree down to a level, and for their end: there may be
    /// as many as entries, so that none more is taken.
    pub(super) fn room_for_starts(&self, end: usize) -> Result<Vec<usize>, Error> {
        let begins = |&entry: &usize| !self.keys.agree(0..end, entry - 1, entry);
        let others = (1..self.entries).into_par_iter().with_min_len(TASK).filter(begins).count();
        let room = others + 2;
        check_available(room * size_of::<usize>(), &self.name("positions"))?;
        Ok(Vec::with_capacity(room))
    }

    /// The coordinate of each run in a level.
    fn run_coordinates(&self, level: usize, runs: &Fibers) -> Result<IndexArray, Error> {
        let mut crd = Array::<I>::zeroed(runs.len(), &self.name("crd"))?;
        let fill = |(task, part): (usize, &mut [I])| {
            for (offset, coordinate) in part.iter_mut().enumerate() {
                let entry = runs.of(task * TASK + offset).start;
                *coordinate = I::truncate(self.keys.coordinate(level, entry));
            }
        };
        crd.par_chunks_mut(TASK).enumerate().for_each(fill);
        Ok(I::store(crd))
    }

    /// S by itself: the one coordinate of each parent, −1 where it has none.
    fn singleton(&mut self, level: usize) -> Result<(), Error> {
        let mut crd = Array::<I>::zeroed(self.fibers.len(), &self.name("crd"))?;
        for (parent, stored) in crd.iter_mut().enumerate() {
            *stored = I::truncate(self.only_coordinate(level, parent)?);
        }
        self.push(I::store(Array::empty()), I::store(crd));
        Ok(())
    }

    fn only_coordinate(&self, level: usize, parent: usize) -> Result<u64, Error> {
        let entries = self.fibers.of(parent);
        if entries.is_empty() {
            return Ok(NOTHING);
        }
        let first = self.keys.coordinate(level, entries.start);
        let last = self.keys.coordinate(level, entries.end - 1);
        if first != last {
            return Err(Error::Singleton { tensor: self.tensor.name.clone(), level, found: [first, last] });
        }
        Ok(first)
    }

    /// BV: a word's bit for each coordinate, and the number of bits before each parent's.
    fn bit_vector(&mut self, level: usize, bits: usize) -> Result<(), Error> {
        let (pos, runs) = self.runs(level..level + 1)?;
        let words_each = (self.tensor.level_size(level) as usize).div_ceil(bits);
        let len = checked_product(&[self.fibers.len(), words_each], &self.name("words"))?;
        let mut words = Array::<i64>::zeroed(len, &self.name("words"))?;
        for parent in 0..self.fibers.len() {
            for entry in self.fibers.of(parent) {
                let coordinate = self.keys.coordinate(level, entry) as usize;
                words[parent * words_each + coordinate / bits] |= 1 << (coordinate % bits);
            }
        }
        self.push(I::store(pos), IndexArray::I64(words));
        self.hand_on(runs, 0);
        Ok(())
    }

    /// Puts each value at its position below the last level that is not D, and marks the position.
    fn place<V: Value>(
        &self,
        values: Array<V>,
        tail: usize,
        sizes: &[i64],
    ) -> Result<(Array<V>, Presence), Error> {
        if let (Fibers::Entries(_), []) = (&self.fibers, sizes) {
            return Ok((values, Presence::Every));
        }
        let mut factors = vec![self.fibers.len()];
        factors.extend(sizes.iter().map(|&size| size as usize));
        let mut placed =
            Array::<V>::zeroed(checked_product(&factors, &self.name("values"))?, &self.name("values"))?;
        // Blocks that are full have no padding.
        let padded = placed.len() > self.entries && self.tensor.format.format.pads();
        let marks = if padded { placed.len() } else { 0 };
        let mut marked = Array::<i8>::zeroed(marks, &self.name("presence"))?;
        for parent in 0..self.fibers.len() {
            for entry in self.fibers.of(parent) {
                let below = sizes.iter().enumerate().fold(parent, |position, (level, &size)| {
                    position * size as usize + self.keys.coordinate(tail + level, entry) as usize
                });
                placed[below] = values[entry];
                if padded {
                    marked[below] = 1;
                }
            }
        }
        Ok((placed, if padded { Presence::Marked(marked) } else { Presence::Every }))
    }

    pub(super) fn zero_starts(&self, positions: usize) -> Result<Vec<usize>, Error> {
        zeroed_vec(positions.saturating_add(1), &self.name("positions"))
    }

    pub(super) fn push(&mut self, pos: IndexArray, crd: IndexArray) {
        // An empty array must have the width of the others.
        let crd = if crd.is_empty() && !self.is_bit_vector() { I::store(Array::empty()) } else { crd };
        self.built.push(LevelStorage { pos, crd });
    }

    fn is_bit_vector(&self) -> bool {
        matches!(self.levels[self.built.len()].kind, LevelKind::BitVector(_))
    }

    pub(super) fn name(&self, part: &'static str) -> ArrayName<'a> {
        ArrayName { tensor: &self.tensor.name, part }
    }
}

fn is_plain_dense(level: &Level) -> bool {
    level.kind == LevelKind::Dense && level.expr != LevelExpr::Slot
}

/// Turns counts, each one place to the right, into starts.
fn add_up(counts: &mut [usize]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}
