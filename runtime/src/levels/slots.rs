//! Slot levels: ELL's second level, which numbers the coordinates of the S levels below it.

use crate::error::Error;
use crate::memory::{Array, checked_product};
use crate::pack::{EveryPosition, LevelBuilder, NOTHING, ParentFibers};
use crate::tensor::Index;
use std::ops::Range;

/// Packs a slot level with the S levels below it: as many slots as the fullest parent needs.
pub(super) fn pack<I: Index>(builder: &mut LevelBuilder<'_, I>, levels: Range<usize>) -> Result<(), Error> {
    let singletons = levels.start + 1..levels.end;
    let (pos, runs) = slot_runs(builder, singletons.clone())?;
    let parents = builder.fibers.len();
    let slots = (0..parents).map(|parent| pos[parent + 1] - pos[parent]).max().unwrap_or(0);
    let positions = checked_product(&[parents, slots], &builder.name("slots"))?;
    builder.push_size(slots as i64)?;
    for level in singletons {
        let mut crd = Array::<I>::zeroed(positions, &builder.name("crd"))?;
        crd.fill(I::truncate(NOTHING));
        for parent in 0..parents {
            for run in pos[parent]..pos[parent + 1] {
                let coordinate = builder.keys.coordinate(level, runs[run]);
                crd[parent * slots + run - pos[parent]] = I::truncate(coordinate);
            }
        }
        builder.push(I::store(Array::empty()), I::store(crd));
    }
    let starts = slot_starts(builder, &pos, &runs, slots)?;
    builder
        .hand_on(ParentFibers::Starts(starts), size_of_val(&pos[..]) + runs.capacity() * size_of::<usize>());
    Ok(())
}

/// Stores a slot for every tuple of coordinates of the S levels under each parent.
pub(super) fn store_every<I: Index>(
    every: &mut EveryPosition<'_, I>,
    levels: Range<usize>,
) -> Result<bool, Error> {
    let singletons = levels.start + 1..levels.end;
    let slots = every.tuples(singletons.clone())?;
    let coordinates = singletons.clone().map(|level| every.coordinates(level, singletons.clone()));
    let coordinates = coordinates.collect::<Result<Vec<_>, Error>>()?;
    every.push_size(slots)?;
    coordinates.into_iter().for_each(|crd| every.push(I::store(Array::empty()), crd));
    Ok(true)
}

/// Returns where the runs of each parent begin, and the entries they begin at; one more entry ends the last
/// run.
fn slot_runs<I: Index>(
    builder: &LevelBuilder<'_, I>,
    group: Range<usize>,
) -> Result<(Vec<usize>, Vec<usize>), Error> {
    let mut pos = builder.zero_starts(builder.fibers.len())?;
    let mut runs = builder.reserved_starts(group.end)?;
    for parent in 0..builder.fibers.len() {
        builder.push_run_starts(parent, group.clone(), &mut runs);
        pos[parent + 1] = runs.len();
    }
    runs.push(builder.entries);
    Ok((pos, runs))
}

/// Returns the fibers of slots: a parent's runs fill its first slots, the others are empty.
fn slot_starts<I: Index>(
    builder: &LevelBuilder<'_, I>,
    pos: &[usize],
    runs: &[usize],
    slots: usize,
) -> Result<Vec<usize>, Error> {
    let mut starts = builder.zero_starts((pos.len() - 1) * slots)?;
    for (position, start) in starts.iter_mut().enumerate() {
        let parent = position.checked_div(slots).unwrap_or(pos.len() - 1);
        // The last element is the end of all runs.
        let Some(end) = pos.get(parent + 1) else {
            *start = builder.entries;
            continue;
        };
        *start = runs[(pos[parent] + position % slots).min(*end)];
    }
    Ok(starts)
}
