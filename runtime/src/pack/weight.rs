//! How much a tensor takes in a format: counted from its sorted entries, without building it.

use super::keys::Keys;
use super::levels::LevelBuilder;
use super::{sort, sum_of};
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::levels::{LevelCode as _, with_code};
use crate::tensor::with_width;
use crate::tensor::{Index, Tensor};
use crate::values::Value;
use crate::values::with_type;
use comet_format::{Level, TypedFormat};
use rayon::prelude::*;
use std::ops::Range;

/// Entries that one task compares.
const TASK: usize = 1 << 15;

/// What [`crate::pack()`] would take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// The number of entries, duplicates added up.
    pub entries: usize,
    /// The number of bytes, where 64 bits can count them.
    pub bytes: Option<u64>,
}

/// Counts what entries take in a format, in time and memory that depend on the number of entries alone.
///
/// # Errors
/// The errors of [`crate::pack()`], except for storage that does not fit the memory.
pub fn weigh(entries: &CoordinateTensor, format: &TypedFormat) -> Result<Weight, Error> {
    entries.check()?;
    let mut tensor = Tensor::new("the tensor", format.clone());
    tensor.dims.clone_from(&entries.dims);
    tensor.check_dims()?;
    with_type!(format.value, T => weigh_values::<T>(&tensor, entries))
}

fn weigh_values<V: Value>(tensor: &Tensor, entries: &CoordinateTensor) -> Result<Weight, Error> {
    match V::slice(&entries.values) {
        Some(values) => weigh_columns(tensor, &entries.coords, values),
        None => weigh_columns(tensor, &entries.coords, &entries.values.converted::<V>()?),
    }
}

fn weigh_columns<V: Value>(tensor: &Tensor, coords: &[Vec<i64>], values: &[V]) -> Result<Weight, Error> {
    let keys = Keys::new(tensor, coords, values.len())?;
    let (keys, values) = sort::sort_and_sum(keys, values, &tensor.name, sum_of)?;
    let bytes = with_width!(tensor.format.format.index_width, N => Weighing::<N>::new(tensor, &keys, values.len()).weigh(tensor.format.value.bytes()))?;
    Ok(Weight { entries: values.len(), bytes: u64::try_from(bytes).ok() })
}

/// Adds up the arrays of levels, from the outside in. A product that is too large stays at the largest
/// number, from which an extent of 0 still makes 0.
pub(crate) struct Weighing<'a, I> {
    pub(crate) tensor: &'a Tensor,
    pub(crate) levels: &'a [Level],
    keys: &'a Keys,
    entries: usize,
    /// The number of entries that differ from the one before in this level first.
    differ: Vec<usize>,
    /// The positions of the level above.
    pub(crate) positions: u128,
    /// The numbers in pos and crd.
    indices: u128,
    /// The words of bit vectors.
    words: u128,
    width: std::marker::PhantomData<I>,
}

impl<'a, I: Index> Weighing<'a, I> {
    fn new(tensor: &'a Tensor, keys: &'a Keys, entries: usize) -> Self {
        let levels = &tensor.format.format.levels[..];
        let differ = first_differences(keys, entries, levels.len());
        let width = std::marker::PhantomData;
        Self { tensor, levels, keys, entries, differ, positions: 1, indices: 0, words: 0, width }
    }

    fn weigh(mut self, value_bytes: usize) -> Result<u128, Error> {
        if !self.tensor.format.format.is_dense() {
            LevelBuilder::<I>::new(self.tensor, self.keys, self.entries).check_width()?;
        }
        let mut level = 0;
        while level < self.levels.len() {
            level = self.add_level(level)?;
        }
        let is_padded = self.tensor.format.format.pads() && self.positions > self.entries as u128;
        let position_bytes = value_bytes + usize::from(is_padded);
        Ok(self
            .positions
            .saturating_mul(position_bytes as u128)
            .saturating_add(self.indices.saturating_mul(size_of::<I>() as u128))
            .saturating_add(self.words.saturating_mul(8)))
    }

    /// Adds a level with those that join its tuples, and returns the next one.
    fn add_level(&mut self, level: usize) -> Result<usize, Error> {
        let levels = self.tensor.format.format.tuple(level);
        with_code!(self.levels[level].kind, code => code.weigh(self, levels.clone()))?;
        Ok(levels.end)
    }

    /// Adds the one pos of a D level with that many positions under each parent.
    pub(crate) fn add_size(&mut self, size: u64) -> Result<(), Error> {
        if size > I::LARGEST {
            return Err(Error::IndexTooNarrow { tensor: self.tensor.name.clone(), found: size });
        }
        self.indices = self.indices.saturating_add(1);
        self.positions = self.positions.saturating_mul(u128::from(size));
        Ok(())
    }

    /// The pos of a compressed level.
    pub(crate) fn add_starts(&mut self) {
        self.indices = self.indices.saturating_add(self.positions).saturating_add(1);
    }

    /// The crd of that many levels.
    pub(crate) fn add_coordinates(&mut self, levels: usize) {
        self.indices = self.indices.saturating_add(self.positions.saturating_mul(levels as u128));
    }

    /// The words of a level of which each parent has that many.
    pub(crate) fn add_words(&mut self, words: u64) {
        self.words = self.words.saturating_add(self.positions.saturating_mul(u128::from(words)));
    }

    /// The number of distinct tuples of coordinates in the levels before one.
    pub(crate) fn distinct(&self, end: usize) -> u128 {
        let others: usize = self.differ[..end].iter().sum();
        (others + usize::from(self.entries > 0)) as u128
    }

    /// Returns the largest number of distinct tuples of these levels under one parent.
    pub(crate) fn longest_fiber(&self, levels: Range<usize>) -> usize {
        let (mut most, mut run) = (usize::from(self.entries > 0), 1);
        for entry in 1..self.entries {
            if !self.keys.agree(0..levels.start, entry - 1, entry) {
                run = 1;
            } else if !self.keys.agree(levels.clone(), entry - 1, entry) {
                run += 1;
                most = most.max(run);
            }
        }
        most
    }

    /// Returns the number of coordinates from the first to the last one of a level under each parent, added
    /// up.
    pub(crate) fn spanned(&self, level: usize) -> u128 {
        let coordinate = |entry| self.keys.coordinate(level, entry);
        let ends = |entry: &usize| entry + 1 == self.entries || !self.keys.agree(0..level, *entry, entry + 1);
        let (mut first, mut sum) = (0, 0);
        for last in (0..self.entries).filter(ends) {
            sum += u128::from(coordinate(last) - coordinate(first) + 1);
            first = last + 1;
        }
        sum
    }

    /// Returns the number of coordinates of a level under each parent that has some.
    pub(crate) fn children(&self, level: usize) -> impl Iterator<Item = u64> {
        let mut counts = Vec::new();
        for entry in 0..self.entries {
            let is_same = |end| entry > 0 && self.keys.agree(0..end, entry - 1, entry);
            match counts.last_mut() {
                Some(count) if is_same(level) => *count += u64::from(!is_same(level + 1)),
                _ => counts.push(1),
            }
        }
        counts.into_iter()
    }

    /// Refuses positions that the width of the arrays cannot hold.
    pub(crate) fn check_positions(&self) -> Result<(), Error> {
        match u64::try_from(self.positions) {
            Ok(positions) if positions <= I::LARGEST => Ok(()),
            found => Err(Error::IndexTooNarrow {
                tensor: self.tensor.name.clone(),
                found: found.unwrap_or(u64::MAX),
            }),
        }
    }

    /// An S level by itself stores one coordinate under each parent.
    pub(crate) fn check_only_coordinates(&self, level: usize) -> Result<(), Error> {
        let differs = |entry: &usize| {
            self.keys.agree(0..level, entry - 1, *entry)
                && !self.keys.agree(level..level + 1, entry - 1, *entry)
        };
        if self.differ[level] == 0 {
            return Ok(());
        }
        let entry = (1..self.entries).find(differs).expect("some entry differs from the one before it");
        let is_sibling = |other: &usize| self.keys.agree(0..level, entry, *other);
        let first = (0..entry).rev().take_while(is_sibling).last().unwrap_or(entry);
        let last = (entry..self.entries).take_while(is_sibling).last().unwrap_or(entry);
        let found = [first, last].map(|entry| self.keys.coordinate(level, entry));
        Err(Error::Singleton { tensor: self.tensor.name.clone(), level, found })
    }
}

/// Of each level, how many entries differ in it from the entry before, and agree with that in those outside.
fn first_differences(keys: &Keys, entries: usize, levels: usize) -> Vec<usize> {
    let none = || vec![0; levels];
    let count = |mut counts: Vec<usize>, entry: usize| {
        let first =
            (0..levels).find(|level| keys.coordinate(*level, entry - 1) != keys.coordinate(*level, entry));
        counts[first.expect("keys are unique")] += 1;
        counts
    };
    let add = |mut counts: Vec<usize>, others: Vec<usize>| {
        counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
        counts
    };
    (1..entries).into_par_iter().with_min_len(TASK).fold(none, count).reduce(none, add)
}
