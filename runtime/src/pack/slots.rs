//! Slot levels: ELL's second level, which numbers the coordinates of the S levels below it.

use super::dense::size_as_pos;
use super::levels::{Fibers, LevelBuilder, NOTHING};
use crate::error::Error;
use crate::memory::{Array, checked_product};
use crate::tensor::{Index, IndexArray};
use std::ops::Range;

impl<I: Index> LevelBuilder<'_, I> {
    /// A slot level with the S levels below it: as many slots as the fullest parent needs.
    pub(super) fn slots(&mut self, level: usize) -> Result<(), Error> {
        let singletons = level + 1..self.end_of_singletons(level + 1);
        let (pos, runs) = self.slot_runs(singletons.clone())?;
        let parents = self.fibers.len();
        let slots = (0..parents).map(|parent| pos[parent + 1] - pos[parent]).max().unwrap_or(0);
        let positions = checked_product(&[parents, slots], &self.name("slots"))?;
        self.push(size_as_pos::<I>(slots as i64, &self.tensor.name)?, IndexArray::I32(Array::empty()));
        for level in singletons {
            let mut crd = Array::<I>::zeroed(positions, &self.name("crd"))?;
            crd.fill(I::truncate(NOTHING));
            for parent in 0..parents {
                for run in pos[parent]..pos[parent + 1] {
                    let coordinate = self.keys.coordinate(level, runs[run]);
                    crd[parent * slots + run - pos[parent]] = I::truncate(coordinate);
                }
            }
            self.push(I::store(Array::empty()), I::store(crd));
        }
        let starts = self.slot_starts(&pos, &runs, slots)?;
        self.hand_on(Fibers::Starts(starts), size_of_val(&pos[..]) + runs.capacity() * size_of::<usize>());
        Ok(())
    }

    /// Where each parent's runs begin, and the entries they begin at; one more entry ends the last run.
    fn slot_runs(&self, group: Range<usize>) -> Result<(Vec<usize>, Vec<usize>), Error> {
        let mut pos = self.zero_starts(self.fibers.len())?;
        let mut runs = self.room_for_starts(group.end)?;
        for parent in 0..self.fibers.len() {
            self.push_run_starts(parent, group.clone(), &mut runs);
            pos[parent + 1] = runs.len();
        }
        runs.push(self.entries);
        Ok((pos, runs))
    }

    /// The fibers of slots: a parent's runs fill its first slots, the others are empty.
    fn slot_starts(&self, pos: &[usize], runs: &[usize], slots: usize) -> Result<Vec<usize>, Error> {
        let mut starts = self.zero_starts((pos.len() - 1) * slots)?;
        for (position, start) in starts.iter_mut().enumerate() {
            let parent = position.checked_div(slots).unwrap_or(pos.len() - 1);
            // One past the last parent stands the end of all runs.
            let Some(end) = pos.get(parent + 1) else {
                *start = self.entries;
                continue;
            };
            *start = runs[(pos[parent] + position % slots).min(*end)];
        }
        Ok(starts)
    }
}
