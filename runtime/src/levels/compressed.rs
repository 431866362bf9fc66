//! CU, and CN with the S levels right below it: a position for each distinct tuple of coordinates.

use super::LevelCode;
use crate::error::Error;
use crate::kernel::CheckedLevel;
use crate::memory::Array;
use crate::pack::{EveryPosition, LevelBuilder, Weighing};
use crate::tensor::{Index, LevelStorage};
use std::ops::Range;

#[derive(Clone, Copy)]
pub(crate) struct Compressed;

impl LevelCode for Compressed {
    fn pack<I: Index>(self, builder: &mut LevelBuilder<'_, I>, levels: Range<usize>) -> Result<(), Error> {
        let (pos, runs) = builder.runs(levels.clone())?;
        let mut pos = Some(pos);
        for level in levels {
            let crd = builder.run_coordinates(level, &runs)?;
            builder.push(pos.take().map_or(I::store(Array::empty()), I::store), crd);
        }
        builder.hand_on(runs, 0);
        Ok(())
    }

    fn store_every<I: Index>(
        self,
        every: &mut EveryPosition<'_, I>,
        levels: Range<usize>,
    ) -> Result<bool, Error> {
        let children = every.tuples(levels.clone())?;
        let mut pos = Some(every.starts(children)?);
        for level in levels.clone() {
            let crd = every.coordinates(level, levels.clone())?;
            every.push(pos.take().unwrap_or_else(|| I::store(Array::empty())), crd);
        }
        every.multiply(children)?;
        Ok(true)
    }

    fn weigh<I: Index>(self, weighing: &mut Weighing<'_, I>, levels: Range<usize>) -> Result<(), Error> {
        weighing.add_starts();
        weighing.positions = weighing.distinct(levels.end);
        weighing.add_coordinates(levels.len());
        Ok(())
    }

    fn walk(self, stored: &LevelStorage, _: usize, parent: usize, mut visit: impl FnMut(i64, usize)) {
        for position in stored.pos.get(parent)..stored.pos.get(parent + 1) {
            visit(stored.crd.get(position as usize), position as usize);
        }
    }

    fn check(self, level: &CheckedLevel<'_>, parents: usize) -> Result<usize, Error> {
        let positions = level.stored.crd.len();
        level.positions(parents)?;
        level.coordinates(0..positions, 0)?;
        if level.kind.is_unique() {
            level.ascending_fibers(parents)?;
        }
        Ok(positions)
    }
}
