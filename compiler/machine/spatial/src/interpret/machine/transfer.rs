//! Elements between DRAM and chip.

use super::memory::Cell;
use super::{Machine, Result, is_disturbed};
use crate::app::BURST_BYTES;
use crate::interpret::program::{ArrayUse, Chip, Direction, Extent, Transfer};
use std::ops::Range;

/// How many bursts these bytes of a memory are in.
fn bursts(bytes: Range<u64>) -> u64 {
    match bytes.is_empty() {
        true => 0,
        false => bytes.end.div_ceil(BURST_BYTES) - bytes.start / BURST_BYTES,
    }
}

impl Machine<'_> {
    pub(super) fn transfer(&mut self, transfer: &Transfer) -> Result<()> {
        let part = self.part(transfer)?;
        match (transfer.direction, &transfer.chip) {
            (Direction::Load, Chip::Array(place)) => self.load_array(transfer, place, part.clone())?,
            (Direction::Load, Chip::Fifo(fifo)) => self.load_fifo(transfer, *fifo, part.clone())?,
            (Direction::Store, Chip::Array(place)) => self.store_array(transfer, place, part.clone())?,
            (Direction::Store, Chip::Fifo(fifo)) => self.store_fifo(transfer, *fifo, part.clone())?,
        }
        self.account(transfer, part);
        Ok(())
    }

    /// The elements in DRAM that are meant.
    fn part(&mut self, transfer: &Transfer) -> Result<Range<usize>> {
        let from = self.evaluate(&transfer.from)? as i64;
        let to = match &transfer.extent {
            Extent::Until(to) => self.evaluate(to)? as i64,
            Extent::Count(len) => {
                let len = self.evaluate(len)? as i64;
                self.length_of("elements", len, transfer.span)?;
                from.saturating_add(len)
            }
        };
        let size = self.arrays[transfer.dram.array].size;
        match (usize::try_from(from), usize::try_from(to)) {
            (Ok(from), Ok(to)) if from <= to && to <= size => Ok(from..to),
            _ => Err(self.is_no_part(transfer, [from, to])),
        }
    }

    fn account(&mut self, transfer: &Transfer, part: Range<usize>) {
        let elements = part.len() as u64;
        let element_bytes = self.program.arrays[transfer.dram.array].element.bytes();
        let bytes = elements * element_bytes;
        let counts = &mut self.transfers[transfer.number].counts;
        counts.launches += 1;
        counts.elements += elements;
        counts.steps += elements.div_ceil(transfer.par);
        counts.bursts += bursts(part.start as u64 * element_bytes..part.end as u64 * element_bytes);
        let traffic = &mut self.arrays[transfer.dram.array].traffic;
        let is_stream = matches!(transfer.extent, Extent::Count(_));
        match transfer.direction {
            Direction::Load => traffic.read_bytes += bytes,
            Direction::Store => traffic.written_bytes += bytes,
        }
        *match (transfer.direction, is_stream) {
            (Direction::Load, false) => &mut traffic.loads,
            (Direction::Load, true) => &mut traffic.stream_loads,
            (Direction::Store, false) => &mut traffic.stores,
            (Direction::Store, true) => &mut traffic.stream_stores,
        } += 1;
    }

    fn load_array(&mut self, transfer: &Transfer, place: &ArrayUse, part: Range<usize>) -> Result<()> {
        self.check_fits(transfer, place, part.len())?;
        self.check_filled(&transfer.dram, part.clone(), transfer)?;
        self.reach(place.array, part.len(), transfer.span)?;
        self.check_free(place, 0..part.len(), transfer)?;
        self.move_elements([&transfer.dram, place], part.start, 0..part.len());
        Ok(())
    }

    fn store_array(&mut self, transfer: &Transfer, place: &ArrayUse, part: Range<usize>) -> Result<()> {
        self.check_fits(transfer, place, part.len())?;
        self.check_filled(place, 0..part.len(), transfer)?;
        self.reach(transfer.dram.array, part.end, transfer.span)?;
        self.check_free(&transfer.dram, part.clone(), transfer)?;
        self.move_elements([place, &transfer.dram], 0, part);
        Ok(())
    }

    fn load_fifo(&mut self, transfer: &Transfer, fifo: usize, part: Range<usize>) -> Result<()> {
        self.check_filled(&transfer.dram, part.clone(), transfer)?;
        self.reserve(fifo, part.len())?;
        let cells = &self.arrays[transfer.dram.array].cells[part];
        self.fifos[fifo].waiting.extend(cells.iter().map(|cell| cell.word));
        self.fifos[fifo].note();
        Ok(())
    }

    fn store_fifo(&mut self, transfer: &Transfer, fifo: usize, part: Range<usize>) -> Result<()> {
        if self.fifos[fifo].waiting.len() < part.len() {
            return Err(self.too_few_wait(fifo, part.len(), transfer.span));
        }
        self.reach(transfer.dram.array, part.end, transfer.span)?;
        self.check_free(&transfer.dram, part.clone(), transfer)?;
        let stamp = self.clock;
        let cells = &mut self.arrays[transfer.dram.array].cells[part.clone()];
        let words = self.fifos[fifo].waiting.drain(..part.len());
        for (cell, word) in cells.iter_mut().zip(words) {
            *cell = Cell { word, stamp };
        }
        Ok(())
    }

    /// Copies elements from one memory to a part of another.
    fn move_elements(&mut self, [from, to]: [&ArrayUse; 2], first: usize, part: Range<usize>) {
        let stamp = self.clock;
        let [from, to] =
            self.arrays.get_disjoint_mut([from.array, to.array]).expect("a memory on chip is no DRAM");
        for (from, to) in from.cells[first..].iter().zip(&mut to.cells[part]) {
            *to = Cell { word: from.word, stamp };
        }
    }

    fn check_fits(&self, transfer: &Transfer, place: &ArrayUse, len: usize) -> Result<()> {
        match len <= self.arrays[place.array].size {
            true => Ok(()),
            false => Err(self.does_not_fit(transfer, place.array, len)),
        }
    }

    fn check_filled(&self, place: &ArrayUse, part: Range<usize>, transfer: &Transfer) -> Result<()> {
        let array = &self.arrays[place.array];
        let end = part.end.min(array.cells.len());
        let start = part.start.min(end);
        let (birth, guards) = (array.birth, &place.guards);
        let cannot = |cell: &Cell| cell.stamp < birth || is_disturbed(&self.guards, guards, cell.stamp);
        let missing = match array.cells[start..end].iter().position(cannot) {
            Some(index) => start + index,
            None if end < part.end => end.max(part.start),
            None => return Ok(()),
        };
        Err(self.cannot_read(place, missing as u64, transfer.span))
    }

    fn check_free(&self, place: &ArrayUse, part: Range<usize>, transfer: &Transfer) -> Result<()> {
        if place.guards.is_empty() {
            return Ok(());
        }
        let cells = &self.arrays[place.array].cells[part.clone()];
        let cannot = |cell: &Cell| is_disturbed(&self.guards, &place.guards, cell.stamp);
        match cells.iter().position(cannot) {
            None => Ok(()),
            Some(index) => Err(self.cannot_write(place, (part.start + index) as u64, transfer.span)),
        }
    }
}
