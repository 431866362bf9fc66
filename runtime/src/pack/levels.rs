//! Building levels from sorted keys, from the outside in.
//!
//! The state between two levels is a list of fibers: the range of entries under each position of the level
//! above. A level stores its arrays and hands on the fibers of its own positions.

use super::keys::Keys;
use crate::error::Error;
use crate::levels::{LevelCode as _, size_as_pos, with_code};
use crate::memory::{Array, Plain, check_available, checked_product, zeroed_vec};
use crate::presence::Presence;
use crate::tensor::{ArrayName, Index, IndexArray, LevelStorage, Tensor};
use comet_format::{Level, LevelArray};
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;

/// Coordinates that one task copies.
const TASK: usize = 1 << 15;
/// The coordinate of a position that holds nothing: −1 in either width.
pub(crate) const NOTHING: u64 = u64::MAX;

pub(crate) struct LevelBuilder<'a, I> {
    pub(crate) tensor: &'a Tensor,
    pub(crate) levels: &'a [Level],
    pub(crate) keys: Cow<'a, Keys>,
    /// The numbers of the entries among the values, where levels have changed their order.
    order: Option<Vec<usize>>,
    pub(crate) entries: usize,
    pub(crate) fibers: ParentFibers,
    built: Vec<LevelStorage>,
    /// The most bytes that were in use at once besides the keys and what is built.
    scratch: usize,
    width: std::marker::PhantomData<I>,
}

/// What was built.
pub(crate) struct Built<V: Plain> {
    pub(crate) levels: Vec<LevelStorage>,
    pub(crate) values: Array<V>,
    pub(crate) present: Presence,
    /// The most bytes that were in use at once besides the keys, the levels and these values.
    pub(crate) scratch: usize,
}

/// The entries under each position.
pub(crate) enum ParentFibers {
    /// Position p holds the entries from the p-th of these to the next.
    Starts(Vec<usize>),
    /// Position p holds entry p.
    Entries(usize),
}

impl ParentFibers {
    pub(crate) fn len(&self) -> usize {
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

    pub(crate) fn of(&self, position: usize) -> Range<usize> {
        match self {
            Self::Starts(starts) => starts[position]..starts[position + 1],
            Self::Entries(_) => position..position + 1,
        }
    }
}

impl<'a, I: Index> LevelBuilder<'a, I> {
    pub(crate) fn new(tensor: &'a Tensor, keys: &'a Keys, entries: usize) -> Self {
        let levels = &tensor.format.format.levels;
        let fibers = ParentFibers::Starts(vec![0, entries]);
        let (built, width) = (Vec::new(), std::marker::PhantomData);
        let keys = Cow::Borrowed(keys);
        Self { tensor, levels, keys, order: None, entries, fibers, built, scratch: 0, width }
    }

    /// Builds all levels and puts the values, which come in the order of the keys, at their positions.
    pub(crate) fn build<V: Plain>(mut self, values: Array<V>) -> Result<Built<V>, Error> {
        self.check_width()?;
        let tail = self.levels.len() - self.levels.iter().rev().take_while(|level| level.is_full()).count();
        while self.built.len() < tail {
            self.build_next()?;
        }
        let sizes: Vec<i64> = (tail..self.levels.len()).map(|level| self.tensor.level_size(level)).collect();
        for size in &sizes {
            self.push_size(*size)?;
        }
        let given = values.as_ptr();
        let bytes = size_of_val(&values[..]);
        let (values, present) = self.place(values, tail, &sizes)?;
        if values.as_ptr() != given {
            self.scratch += bytes;
        }
        Ok(Built { levels: self.built, values, present, scratch: self.scratch })
    }

    /// Puts the entries in another order, in which the levels further down store them.
    pub(crate) fn reorder(&mut self, order: Vec<usize>) {
        let reordered = |column: &Vec<u64>| order.iter().map(|entry| column[*entry]).collect();
        let words = self.keys.words.iter().map(reordered).collect();
        self.keys = Cow::Owned(Keys { words, fields: self.keys.fields.clone() });
        self.order = Some(match &self.order {
            None => order,
            Some(before) => order.iter().map(|entry| before[*entry]).collect(),
        });
    }

    /// The error for positions that the width of the arrays cannot hold.
    pub(crate) fn too_narrow(&self, found: u64) -> Error {
        Error::IndexTooNarrow { tensor: self.tensor.name.clone(), found }
    }

    /// What the next level begins with; `besides` bytes were in use in making it.
    pub(crate) fn hand_on(&mut self, fibers: ParentFibers, besides: usize) {
        self.scratch = self.scratch.max(self.fibers.bytes() + fibers.bytes() + besides);
        self.fibers = fibers;
    }

    fn build_next(&mut self) -> Result<(), Error> {
        let levels = self.tensor.format.format.tuple(self.built.len());
        with_code!(self.levels[levels.start].kind, code => code.pack(self, levels))
    }

    /// The runs of entries that agree in these levels under one parent, and where each parent's runs begin.
    pub(crate) fn runs(&self, group: Range<usize>) -> Result<(Array<I>, ParentFibers), Error> {
        let parents = self.fibers.len();
        let mut pos = Array::<I>::zeroed(parents + 1, &self.name("pos"))?;
        if group.end == self.levels.len() {
            // Keys are unique, so that each entry is a run of its own below the last level.
            for parent in 0..parents {
                pos[parent + 1] = I::truncate(self.fibers.of(parent).end as u64);
            }
            return Ok((pos, ParentFibers::Entries(self.entries)));
        }
        let mut starts = self.reserved_starts(group.end)?;
        for parent in 0..parents {
            self.push_run_starts(parent, group.clone(), &mut starts);
            pos[parent + 1] = I::truncate(starts.len() as u64);
        }
        starts.push(self.entries);
        Ok((pos, ParentFibers::Starts(starts)))
    }

    pub(crate) fn push_run_starts(&self, parent: usize, group: Range<usize>, starts: &mut Vec<usize>) {
        let entries = self.fibers.of(parent);
        let first = entries.start;
        let begins = |&entry: &usize| entry == first || !self.keys.agree(group.clone(), entry - 1, entry);
        starts.extend(entries.filter(begins));
    }

    /// Room for the starts of all runs of entries that agree down to a level, and for their end: there may be
    /// as many as entries, so that none more is taken.
    pub(crate) fn reserved_starts(&self, end: usize) -> Result<Vec<usize>, Error> {
        let begins = |&entry: &usize| !self.keys.agree(0..end, entry - 1, entry);
        let others = (1..self.entries).into_par_iter().with_min_len(TASK).filter(begins).count();
        let room = others + 2;
        check_available(room * size_of::<usize>(), &self.name("positions"))?;
        Ok(Vec::with_capacity(room))
    }

    /// The coordinate of each run in a level.
    pub(crate) fn run_coordinates(&self, level: usize, runs: &ParentFibers) -> Result<IndexArray, Error> {
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

    /// Puts each value at its position below the last level that is not D, and marks the position.
    fn place<V: Plain>(
        &self,
        values: Array<V>,
        tail: usize,
        sizes: &[i64],
    ) -> Result<(Array<V>, Presence), Error> {
        if let (ParentFibers::Entries(_), [], None) = (&self.fibers, sizes, &self.order) {
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
                placed[below] = values[self.order.as_ref().map_or(entry, |order| order[entry])];
                if padded {
                    marked[below] = 1;
                }
            }
        }
        Ok((placed, if padded { Presence::Marked(marked) } else { Presence::Every }))
    }

    pub(crate) fn zero_starts(&self, positions: usize) -> Result<Vec<usize>, Error> {
        zeroed_vec(positions.saturating_add(1), &self.name("positions"))
    }

    /// Adds the arrays of a level.
    pub(crate) fn push(&mut self, pos: IndexArray, crd: IndexArray) {
        self.built.push(LevelStorage { pos, crd });
    }

    /// Adds a level that stores its size only.
    pub(crate) fn push_size(&mut self, size: i64) -> Result<(), Error> {
        self.push(size_as_pos::<I>(size, &self.tensor.name)?, I::store(Array::empty()));
        Ok(())
    }

    pub(crate) fn name(&self, part: &'static str) -> ArrayName<'a> {
        ArrayName { tensor: &self.tensor.name, part }
    }

    /// Refuses coordinates and positions that the width of the arrays cannot hold.
    pub(crate) fn check_width(&self) -> Result<(), Error> {
        let too_large = |found| Err(Error::IndexTooNarrow { tensor: self.tensor.name.clone(), found });
        // A dense tensor stores no positions.
        if !self.tensor.format.format.is_dense() && self.entries as u64 > I::LARGEST {
            return too_large(self.entries as u64);
        }
        for (level, Level { kind, .. }) in self.levels.iter().enumerate() {
            let has_coordinates = kind.coordinate_array().is_some_and(|array| array != LevelArray::Words);
            if !has_coordinates || self.tensor.level_size(level) as u64 <= I::LARGEST {
                continue;
            }
            let coordinates = (0..self.entries).map(|entry| self.keys.coordinate(level, entry));
            if let Some(found) = coordinates.max().filter(|found| *found > I::LARGEST) {
                return too_large(found);
            }
        }
        Ok(())
    }
}
