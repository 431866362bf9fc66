//! What comes of the rounds of a pattern.

use super::memory::Cell;
use super::{Machine, Result, is_disturbed};
use crate::interpret::program::{MemReduce, Reduce};

impl Machine<'_> {
    /// The register gets what comes of all rounds; without rounds it stays as it is.
    pub(super) fn reduce(&mut self, reduce: &Reduce) -> Result<()> {
        let mut result = None;
        self.each_round(&reduce.pattern, |machine| {
            machine.steps(&reduce.pattern.body.steps)?;
            let value = machine.evaluate(&reduce.value)?;
            result = Some(result.map_or(value, |result| (reduce.with)(result, value)));
            machine.end(&reduce.pattern.body)
        })?;
        if let Some(result) = result {
            self.slots[reduce.register] = result;
        }
        Ok(())
    }

    /// The memory gets, element by element, what comes of what it holds and of each round.
    pub(super) fn mem_reduce(&mut self, reduce: &MemReduce) -> Result<()> {
        self.each_round(&reduce.pattern, |machine| {
            machine.steps(&reduce.pattern.body.steps)?;
            machine.combine(reduce)?;
            machine.end(&reduce.pattern.body)
        })
    }

    /// An element that was never written counts as the one that changes nothing.
    fn combine(&mut self, reduce: &MemReduce) -> Result<()> {
        let [target, value] = [reduce.target.array, reduce.value.array];
        let sizes = [target, value].map(|array| self.arrays[array].cells.len());
        if sizes[0] != sizes[1] {
            return Err(self.not_alike(reduce, sizes));
        }
        for index in 0..sizes[0] {
            let given = self.arrays[value].cells[index];
            let held = self.arrays[target].cells[index];
            if given.stamp < self.arrays[value].birth
                || is_disturbed(&self.guards, &reduce.value.guards, given.stamp)
            {
                return Err(self.cannot_read(&reduce.value, index as u64, reduce.span));
            }
            if is_disturbed(&self.guards, &reduce.target.guards, held.stamp) {
                return Err(self.cannot_read(&reduce.target, index as u64, reduce.span));
            }
            let word = match held.stamp < self.arrays[target].birth {
                true => given.word,
                false => (reduce.with)(held.word, given.word),
            };
            self.arrays[target].cells[index] = Cell { word, stamp: self.clock };
        }
        Ok(())
    }
}
