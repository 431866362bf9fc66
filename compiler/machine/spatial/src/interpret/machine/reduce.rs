//! What comes of the iterations of a pattern.

use super::memory::Cell;
use super::{Machine, Result, is_disturbed};
use crate::interpret::program::{ArrayUse, MemReduce, Reduce};
use comet_diag::Span;

/// What becomes of the elements that the memory of a reduction holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Forgotten,
    Counts,
}

impl Machine<'_> {
    /// The register gets what comes of all iterations; without iterations it stays as it is.
    pub(super) fn reduce(&mut self, reduce: &Reduce) -> Result<()> {
        let mut result = None;
        self.each_iteration(&reduce.pattern, |machine| {
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

    /// The memory gets, element by element, what comes of each iteration, and of a fold also of what it
    /// holds.
    pub(super) fn mem_reduce(&mut self, reduce: &MemReduce) -> Result<()> {
        let mut held = if reduce.is_fold { Held::Counts } else { Held::Forgotten };
        self.each_iteration(&reduce.pattern, |machine| {
            machine.steps(&reduce.pattern.body.steps)?;
            machine.combine(reduce, held)?;
            held = Held::Counts;
            machine.end(&reduce.pattern.body)
        })
    }

    /// An element that was never written counts as the one that changes nothing.
    fn combine(&mut self, reduce: &MemReduce, what: Held) -> Result<()> {
        let [target, value] = [reduce.target.array, reduce.value.array];
        let sizes = [target, value].map(|array| self.arrays[array].size);
        if sizes[0] != sizes[1] {
            return Err(self.not_alike(reduce, sizes));
        }
        self.patterns[reduce.pattern.number].counts.combined += (sizes[0] as u64).div_ceil(reduce.par);
        self.reach(target, sizes[0], reduce.span)?;
        let stamp = self.clock;
        for index in 0..sizes[0] {
            let given = self.element(&reduce.value, index, reduce.span)?;
            let held = self.arrays[target].cells[index];
            let word = match what == Held::Counts && held.stamp >= self.arrays[target].birth {
                false => given,
                true => (reduce.with)(self.element(&reduce.target, index, reduce.span)?, given),
            };
            self.arrays[target].cells[index] = Cell { word, stamp };
        }
        Ok(())
    }

    fn element(&self, place: &ArrayUse, index: usize, span: Span) -> Result<u64> {
        match self.arrays[place.array].filled(index) {
            Some(cell) if !is_disturbed(&self.guards, &place.guards, cell.stamp) => Ok(cell.word),
            _ => Err(self.cannot_read(place, index as u64, span)),
        }
    }
}
