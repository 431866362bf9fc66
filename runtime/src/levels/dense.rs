//! D: a position for every coordinate under every parent. Its `pos` is the size.

use super::{LevelCode, slots};
use crate::error::Error;
use crate::kernel::CheckedLevel;
use crate::memory::{Array, checked_product};
use crate::pack::{EveryPosition, LevelBuilder, ParentFibers, Weighing};
use crate::tensor::{Index, IndexArray, LevelStorage};
use std::ops::Range;

#[derive(Clone, Copy)]
pub(crate) struct Dense;

impl LevelCode for Dense {
    fn pack<I: Index>(self, builder: &mut LevelBuilder<'_, I>, levels: Range<usize>) -> Result<(), Error> {
        let level = levels.start;
        if builder.levels[level].is_slot() {
            return slots::pack(builder, levels);
        }
        let size = builder.tensor.level_size(level);
        let positions = checked_product(&[builder.fibers.len(), size as usize], &builder.name("positions"))?;
        let mut starts = builder.zero_starts(positions)?;
        for parent in 0..builder.fibers.len() {
            for entry in builder.fibers.of(parent) {
                starts[parent * size as usize + builder.keys.coordinate(level, entry) as usize + 1] += 1;
            }
        }
        add_up(&mut starts);
        builder.hand_on(ParentFibers::Starts(starts), 0);
        builder.push_size(size)
    }

    fn store_every<I: Index>(
        self,
        every: &mut EveryPosition<'_, I>,
        levels: Range<usize>,
    ) -> Result<bool, Error> {
        if every.tensor.format.format.levels[levels.start].is_slot() {
            return slots::store_every(every, levels);
        }
        every.push_size(every.size(levels.start))?;
        Ok(true)
    }

    fn weigh<I: Index>(self, weighing: &mut Weighing<'_, I>, levels: Range<usize>) -> Result<(), Error> {
        if !weighing.levels[levels.start].is_slot() {
            return weighing.add_size(weighing.tensor.level_size(levels.start) as u64);
        }
        let slots = weighing.longest_fiber(levels.clone());
        weighing.add_size(slots as u64)?;
        weighing.add_coordinates(levels.len() - 1);
        Ok(())
    }

    fn walk(self, _: &LevelStorage, size: usize, parent: usize, mut visit: impl FnMut(i64, usize)) {
        (0..size).for_each(|coordinate| visit(coordinate as i64, parent * size + coordinate));
    }

    fn check(self, level: &CheckedLevel<'_>, parents: usize) -> Result<usize, Error> {
        Ok(parents * level.size as usize)
    }
}

/// Returns the pos array of a level of that size.
pub(crate) fn size_as_pos<I: Index>(size: i64, tensor: &str) -> Result<IndexArray, Error> {
    let size = size as u64;
    if size > I::LARGEST {
        return Err(Error::IndexTooNarrow { tensor: tensor.to_owned(), found: size });
    }
    Ok(I::store(Array::copied(&[I::truncate(size)], &"a level's size")?))
}

/// Turns counts, each one index to the right, into starts.
pub(super) fn add_up(counts: &mut [usize]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}
