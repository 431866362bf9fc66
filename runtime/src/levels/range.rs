//! R: a position for each coordinate from the first to the last one under each parent.

use super::LevelCode;
use crate::error::{Error, index_range};
use crate::kernel::CheckedLevel;
use crate::memory::Array;
use crate::pack::{EveryPosition, LevelBuilder, ParentFibers, Weighing};
use crate::tensor::{Index, LevelStorage};
use std::ops::Range;

#[derive(Clone, Copy)]
pub(crate) struct RangeLevel;

impl LevelCode for RangeLevel {
    fn pack<I: Index>(self, builder: &mut LevelBuilder<'_, I>, levels: Range<usize>) -> Result<(), Error> {
        let level = levels.start;
        let parents = builder.fibers.len();
        let mut pos = Array::<I>::zeroed(parents + 1, &builder.name("pos"))?;
        let mut start = Array::<I>::zeroed(parents, &builder.name("start"))?;
        let mut positions = 0;
        for parent in 0..parents {
            if let Some([first, last]) = bounds(builder, level, parent) {
                start[parent] = I::truncate(first);
                positions += last - first + 1;
            }
            if positions > I::LARGEST {
                return Err(builder.too_narrow(positions));
            }
            pos[parent + 1] = I::truncate(positions);
        }
        let mut starts = builder.zero_starts(positions as usize)?;
        for parent in 0..parents {
            for entry in builder.fibers.of(parent) {
                let offset = builder.keys.coordinate(level, entry) - start[parent].number();
                starts[(pos[parent].number() + offset) as usize + 1] += 1;
            }
        }
        super::dense::add_up(&mut starts);
        builder.push(I::store(pos), I::store(start));
        builder.hand_on(ParentFibers::Starts(starts), 0);
        Ok(())
    }

    fn store_every<I: Index>(
        self,
        every: &mut EveryPosition<'_, I>,
        levels: Range<usize>,
    ) -> Result<bool, Error> {
        let size = every.size(levels.start);
        let start = Array::<I>::zeroed(every.positions, &every.name("start"))?;
        every.push(every.starts(size)?, I::store(start));
        every.multiply(size)?;
        Ok(true)
    }

    fn weigh<I: Index>(self, weighing: &mut Weighing<'_, I>, levels: Range<usize>) -> Result<(), Error> {
        weighing.add_starts();
        weighing.add_coordinates(1);
        weighing.positions = weighing.spanned(levels.start);
        weighing.check_positions()
    }

    fn walk(self, stored: &LevelStorage, _: usize, parent: usize, mut visit: impl FnMut(i64, usize)) {
        let (first, end) = (stored.pos.get(parent), stored.pos.get(parent + 1));
        let start = stored.crd.get(parent);
        (first..end).for_each(|position| visit(start + position - first, position as usize));
    }

    fn check(self, level: &CheckedLevel<'_>, parents: usize) -> Result<usize, Error> {
        level.positions(parents)?;
        let LevelStorage { pos, crd: start } = level.stored;
        for parent in 0..parents {
            let length = pos.get(parent + 1) - pos.get(parent);
            let last = level.size - length.max(1);
            if !(0..=last).contains(&start.get(parent)) && (length > 0 || start.get(parent) != 0) {
                return Err(level.wrong("start", parent, &index_range(0, last)));
            }
        }
        Ok(pos.get(parents) as usize)
    }
}

/// Returns the first and the last coordinate of a parent's entries; `None` where it has none.
fn bounds<I: Index>(builder: &LevelBuilder<'_, I>, level: usize, parent: usize) -> Option<[u64; 2]> {
    let entries = builder.fibers.of(parent);
    let coordinate = |entry| builder.keys.coordinate(level, entry);
    (!entries.is_empty()).then(|| [coordinate(entries.start), coordinate(entries.end - 1)])
}
