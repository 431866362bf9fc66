//! H: a hash table under each parent, by the rules of [`comet_format::hash`].

use super::LevelCode;
use crate::error::Error;
use crate::kernel::CheckedLevel;
use crate::memory::{Array, checked_product, zeroed_vec};
use crate::pack::{EveryPosition, LevelBuilder, NOTHING, ParentFibers, Weighing};
use crate::tensor::{Index, LevelStorage};
use comet_format::hash::{slot, slots};
use std::ops::Range;

#[derive(Clone, Copy)]
pub(crate) struct Hashed;

impl LevelCode for Hashed {
    fn pack<I: Index>(self, builder: &mut LevelBuilder<'_, I>, levels: Range<usize>) -> Result<(), Error> {
        let level = levels.start;
        let (runs_before, runs) = builder.runs(levels)?;
        let parents = builder.fibers.len();
        let mut pos = Array::<I>::zeroed(parents + 1, &builder.name("pos"))?;
        let mut positions = 0;
        for parent in 0..parents {
            positions += slots(runs_before[parent + 1].number() - runs_before[parent].number());
            if positions > I::LARGEST {
                return Err(builder.too_narrow(positions));
            }
            pos[parent + 1] = I::truncate(positions);
        }
        let mut crd = Array::<I>::zeroed(positions as usize, &builder.name("crd"))?;
        crd.fill(I::truncate(NOTHING));
        let mut taken = builder.zero_starts(positions as usize)?;
        for parent in 0..parents {
            let (first, end) = (pos[parent].number(), pos[parent + 1].number());
            for run in runs_before[parent].number()..runs_before[parent + 1].number() {
                let coordinate = builder.keys.coordinate(level, runs.of(run as usize).start);
                let mut offset = slot(coordinate, end - first);
                while crd[(first + offset) as usize].number() != I::truncate(NOTHING).number() {
                    offset = (offset + 1) & (end - first - 1);
                }
                crd[(first + offset) as usize] = I::truncate(coordinate);
                taken[(first + offset) as usize] = run as usize + 1;
            }
        }
        taken.pop();
        builder.push(I::store(pos), I::store(crd));
        // From here on, entries are in the order of the slots.
        let fiber = |slot: &usize| match slot.checked_sub(1) {
            Some(run) => runs.of(run),
            None => 0..0,
        };
        let order: Vec<usize> = taken.iter().flat_map(fiber).collect();
        let mut starts = builder.zero_starts(taken.len())?;
        for (position, slot) in taken.iter().enumerate() {
            starts[position + 1] = starts[position] + fiber(slot).len();
        }
        builder.reorder(order);
        builder.hand_on(ParentFibers::Starts(starts), size_of_val(&taken[..]));
        Ok(())
    }

    fn store_every<I: Index>(
        self,
        every: &mut EveryPosition<'_, I>,
        levels: Range<usize>,
    ) -> Result<bool, Error> {
        if levels.end < every.tensor.format.format.levels.len() {
            return Ok(false);
        }
        let size = every.size(levels.start);
        let count = slots(size as u64) as usize;
        let positions = checked_product(&[every.positions, count], &every.name("crd"))?;
        if positions as u64 > I::LARGEST {
            return Err(Error::IndexTooNarrow { tensor: every.tensor.name.clone(), found: positions as u64 });
        }
        let mut table = zeroed_vec::<I>(count, &every.name("crd"))?;
        table.fill(I::truncate(NOTHING));
        let mut taken = zeroed_vec::<usize>(size, &every.name("slots"))?;
        for (coordinate, place) in taken.iter_mut().enumerate() {
            *place = slot(coordinate as u64, count as u64) as usize;
            while table[*place].signed() >= 0 {
                *place = (*place + 1) & (count - 1);
            }
            table[*place] = I::truncate(coordinate as u64);
        }
        let mut crd = Array::<I>::unspecified(positions, &every.name("crd"))?;
        crd.chunks_mut(count).for_each(|slots| slots.copy_from_slice(&table));
        every.push(every.starts(count)?, I::store(crd));
        every.multiply(count)?;
        every.slots = Some(taken);
        Ok(true)
    }

    fn weigh<I: Index>(self, weighing: &mut Weighing<'_, I>, levels: Range<usize>) -> Result<(), Error> {
        weighing.add_starts();
        let children = weighing.children(levels.start);
        weighing.positions = children.map(|children| u128::from(slots(children))).sum();
        weighing.check_positions()?;
        weighing.add_coordinates(1);
        Ok(())
    }

    fn walk(self, stored: &LevelStorage, _: usize, parent: usize, mut visit: impl FnMut(i64, usize)) {
        for position in stored.pos.get(parent)..stored.pos.get(parent + 1) {
            let coordinate = stored.crd.get(position as usize);
            if coordinate >= 0 {
                visit(coordinate, position as usize);
            }
        }
    }

    fn check(self, level: &CheckedLevel<'_>, parents: usize) -> Result<usize, Error> {
        let LevelStorage { pos, crd } = level.stored;
        level.positions(parents)?;
        level.coordinates(0..crd.len(), -1)?;
        for parent in 0..parents {
            let (first, count) = (pos.get(parent) as usize, (pos.get(parent + 1) - pos.get(parent)) as u64);
            if count > 0 && !count.is_power_of_two() {
                let expected = format!("{first} plus a power of two");
                return Err(level.wrong("pos", parent + 1, &expected));
            }
            let is_empty = |place: usize| crd.get(place) < 0;
            if count > 0 && !(first..first + count as usize).any(is_empty) {
                return Err(level.wrong("crd", first, "an empty slot, −1, in each table"));
            }
            for place in (first..first + count as usize).filter(|place| !is_empty(*place)) {
                let mut offset = slot(crd.get(place) as u64, count);
                while first + offset as usize != place {
                    let found = crd.get(first + offset as usize);
                    if found < 0 || found == crd.get(place) {
                        return Err(level.wrong("crd", place, "a coordinate that probing comes to, once"));
                    }
                    offset = (offset + 1) & (count - 1);
                }
            }
        }
        Ok(crd.len())
    }
}
