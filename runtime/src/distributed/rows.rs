//! Rows of tensors that go to other processes.

mod in_place;

use super::Processes;
use super::encoded::{decoded, encoded};
use crate::error::Error;
use crate::slices::{self, Slice};
use crate::tensor::Tensor;
use std::ops::Range;

/// Which rows move.
pub(super) struct MovedRows<'a> {
    /// What this process has.
    pub(super) tensor: &'a Tensor,
    /// The mode whose coordinates rows are.
    pub(super) mode: usize,
    /// The rows that each process gets, this one, too: ascending ranges.
    pub(super) sent: Vec<Vec<Range<i64>>>,
    /// How many come of each process.
    pub(super) received: Vec<usize>,
}

impl MovedRows<'_> {
    /// Sends rows, and returns a tensor of those that come, by rank: numbered from 0 on, and with coordinates
    /// in the place of local numbers of other modes.
    pub(super) fn exchange(self, processes: &Processes) -> Result<Tensor, Error> {
        if in_place::fits(self.tensor, self.mode) {
            return self.exchange_in_place(processes);
        }
        // Its own part comes in any case, so that there is one.
        let own = processes.rank;
        let sends: Vec<bool> =
            self.received.iter().enumerate().map(|(process, count)| *count > 0 || process == own).collect();
        let mut messages = Vec::new();
        for (process, ranges) in self.sent.into_iter().enumerate() {
            let is_empty = ranges.iter().all(Range::is_empty);
            messages.push(match is_empty && process != own {
                true => Vec::new(),
                false => message(&Slice { tensor: self.tensor, ranges }, self.mode)?,
            });
        }
        let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let come = processes.exchange_between(&messages, &sends)?;
        joined(&come, self.tensor, self.mode)
    }
}

/// Sends each process a range of coordinates of one mode of the rows of this one, and returns a tensor of
/// what comes, whose rows are joined by rank.
pub(super) fn exchanged(
    tensor: &Tensor,
    rows: usize,
    mode: usize,
    ranges: &[Range<i64>],
    processes: &Processes,
) -> Result<Tensor, Error> {
    let mut messages = Vec::new();
    for range in ranges {
        messages.push(message(&Slice::new(tensor, range.clone()), mode)?);
    }
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    joined(&processes.exchange(&messages)?, tensor, rows)
}

fn message(slice: &Slice<'_>, mode: usize) -> Result<Vec<u8>, Error> {
    let part = slices::joined(std::slice::from_ref(slice), mode)?;
    Ok(encoded(&globally_numbered(part, slice.tensor)?))
}

/// Joins what all processes have sent.
fn joined(messages: &[Vec<u8>], like: &Tensor, mode: usize) -> Result<Tensor, Error> {
    let mut tensors = Vec::new();
    for bytes in messages.iter().filter(|bytes| !bytes.is_empty()) {
        tensors.push(decoded(bytes, like)?);
    }
    let parts: Vec<Slice<'_>> = tensors.iter().map(|tensor| Slice::whole(tensor, mode)).collect();
    slices::joined(&parts, mode)
}

/// A part of a tensor with coordinates in the place of local numbers, which are one process's own.
pub(super) fn globally_numbered(mut part: Tensor, of: &Tensor) -> Result<Tensor, Error> {
    for mode in 0..of.dims.len() {
        if let Some(numbering) = of.placement.numbering(mode) {
            let extent = numbering.partition().extent();
            slices::renumber(&mut part, mode, extent, |local| numbering.coordinate(local))?;
        }
    }
    Ok(part)
}
