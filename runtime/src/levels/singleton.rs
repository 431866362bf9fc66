//! S by itself: the one coordinate of each parent, −1 where it has none. Below CN and slots, these pack it.

use super::LevelCode;
use crate::error::Error;
use crate::kernel::CheckedLevel;
use crate::memory::Array;
use crate::pack::{EveryPosition, LevelBuilder, NOTHING, Weighing};
use crate::tensor::{Index, LevelStorage};
use std::ops::Range;

#[derive(Clone, Copy)]
pub(crate) struct Singleton;

impl LevelCode for Singleton {
    fn pack<I: Index>(self, builder: &mut LevelBuilder<'_, I>, levels: Range<usize>) -> Result<(), Error> {
        let mut crd = Array::<I>::zeroed(builder.fibers.len(), &builder.name("crd"))?;
        for (parent, stored) in crd.iter_mut().enumerate() {
            *stored = I::truncate(only_coordinate(builder, levels.start, parent)?);
        }
        builder.push(I::store(Array::empty()), I::store(crd));
        Ok(())
    }

    fn store_every<I: Index>(
        self,
        every: &mut EveryPosition<'_, I>,
        levels: Range<usize>,
    ) -> Result<bool, Error> {
        if every.size(levels.start) != 1 {
            return Ok(false);
        }
        let crd = every.coordinates(levels.start, levels)?;
        every.push(I::store(Array::empty()), crd);
        Ok(true)
    }

    fn weigh<I: Index>(self, weighing: &mut Weighing<'_, I>, levels: Range<usize>) -> Result<(), Error> {
        weighing.check_only_coordinates(levels.start)?;
        weighing.add_coordinates(levels.len());
        Ok(())
    }

    fn walk(self, stored: &LevelStorage, _: usize, parent: usize, mut visit: impl FnMut(i64, usize)) {
        let coordinate = stored.crd.get(parent);
        if coordinate >= 0 {
            visit(coordinate, parent);
        }
    }

    fn check(self, level: &CheckedLevel<'_>, parents: usize) -> Result<usize, Error> {
        level.coordinates(0..parents, -1)?;
        Ok(parents)
    }
}

fn only_coordinate<I: Index>(
    builder: &LevelBuilder<'_, I>,
    level: usize,
    parent: usize,
) -> Result<u64, Error> {
    let entries = builder.fibers.of(parent);
    if entries.is_empty() {
        return Ok(NOTHING);
    }
    let first = builder.keys.coordinate(level, entries.start);
    let last = builder.keys.coordinate(level, entries.end - 1);
    if first != last {
        return Err(Error::Singleton { tensor: builder.tensor.name.clone(), level, found: [first, last] });
    }
    Ok(first)
}
