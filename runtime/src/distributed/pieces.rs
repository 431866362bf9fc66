//! A statement in pieces: each process computes its range of a label in several parts, one after the other,
//! and receives for each of them what it needs of other processes. So it never has all of that at once.
//!
//! Of three processes with 5, 3 and 4 rows, in pieces of 2:
//! ```text
//! piece 0   0 1 . . .   0 1 .   0 1 . .
//! piece 1   . . 2 3 .   . . 2   . . 2 3
//! piece 2   . . . . 4   . . .   . . . .
//! ```
//! The rows of a piece are the rows of tensors of their own, which processes have 2, 2 and 2 rows of, or 2, 1
//! and 2, or 1, 0 and 0: a piece is a statement on these. Rows that several pieces need are received for
//! each.

use super::choice::{DividedLabel, divided_label};
use super::division::{Division, align, begin_along, finish_part, gather_replicated};
use super::partition::Partition;
use super::placement::Placement;
use super::statement::DivisibleStatement;
use super::{DivisionReport, Processes, parts};
use crate::error::Error;
use crate::slices::{self, Slice};
use crate::tensor::Tensor;
use comet_abi::distribution::{PieceSize, StatementDescription};
use std::ops::Range;
use std::sync::Arc;

/// A statement that is computed in pieces.
pub(crate) struct Pieces {
    divided: DividedLabel,
    /// How many coordinates of each process a piece has; the last one of a process may have fewer.
    sizes: Vec<i64>,
    count: usize,
    /// The statement of a piece.
    description: StatementDescription,
    /// The results of the pieces so far.
    results: Vec<Tensor>,
    /// Whether every process is to have all of the result.
    is_gathered: bool,
    report: Option<DivisionReport>,
}

/// What a piece has of tensors.
pub(crate) struct CutTensors {
    pub(crate) parts: Vec<Tensor>,
    /// Which of the parts is in each place; none where the tensor itself is.
    pub(crate) places: Vec<Option<usize>>,
}

impl Pieces {
    /// Begins a statement, whose tensors get divided along a label. `None` where all is to be computed at
    /// once: nothing is divided, or in another way than pieces can be computed.
    pub(crate) fn begin(
        statement: &mut DivisibleStatement<'_>,
        size: PieceSize,
        processes: &Processes,
        mut report: Option<DivisionReport>,
    ) -> Result<Option<Self>, Error> {
        let divides = |divided: &DividedLabel| !divided.is_reduced && can_be_cut(statement, divided.label);
        if !divided_label(statement, processes.count).as_ref().is_some_and(divides) {
            return Ok(None);
        }
        gather_replicated(statement, processes, &mut report)?;
        let Some(divided) = divided_label(statement, processes.count) else { return Ok(None) };
        align(statement, &divided, processes, &mut report)?;
        let lengths: Vec<i64> =
            (0..processes.count).map(|process| len(divided.partition.range(process))).collect();
        let sizes: Vec<i64> = lengths.iter().map(|len| size.of_range(*len).max(1)).collect();
        let counts = lengths.iter().zip(&sizes).map(|(len, size)| (*len as usize).div_ceil(*size as usize));
        let count = counts.max().unwrap_or(1).max(1);
        report.iter_mut().for_each(|report| report.in_pieces(count));
        let result = statement.result();
        let mut description = statement.description.clone();
        let has_label = |place: &usize| statement.labeled(*place).mode_of(divided.label).is_some();
        description.replicated.retain(|place| *place != result && !has_label(place));
        let is_gathered = statement.description.replicated.contains(&result);
        Ok(Some(Self { divided, sizes, count, description, results: Vec::new(), is_gathered, report }))
    }

    /// Returns how many there are, on all processes.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Cuts the tensors that have the label for the next piece. A tensor that is also somewhere without the
    /// label stays whole there.
    pub(crate) fn cut(
        &self,
        statement: &DivisibleStatement<'_>,
        processes: &Processes,
    ) -> Result<CutTensors, Error> {
        let mut cut = CutTensors { parts: Vec::new(), places: Vec::new() };
        let mut known: Vec<(usize, usize)> = Vec::new();
        for place in 0..statement.places.len() {
            let mode = statement.labeled(place).mode_of(self.divided.label);
            let key = mode.map(|mode| (statement.places[place], mode));
            let part = key.map(|key| known.iter().position(|other| *other == key));
            if let (Some(mode), Some(None)) = (mode, part) {
                cut.parts.push(self.part(statement, place, mode, processes)?);
                known.extend(key);
            }
            cut.places.push(part.map(|part| part.unwrap_or(cut.parts.len() - 1)));
        }
        Ok(cut)
    }

    /// The next piece of a tensor. Of a result that is overwritten, it has nothing yet.
    fn part(
        &self,
        statement: &DivisibleStatement<'_>,
        place: usize,
        mode: usize,
        processes: &Processes,
    ) -> Result<Tensor, Error> {
        let whole = statement.tensor(place);
        let result = statement.result();
        let reads = |other: usize| {
            let is_same = statement.places[other] == statement.places[result];
            is_same && statement.labeled(other).mode_of(self.divided.label) == Some(mode)
        };
        let is_overwritten = !statement.description.accumulates && !(0..result).any(reads);
        if statement.places[place] == statement.places[result] && is_overwritten {
            let mut result = Tensor::new(&whole.name, whole.format.clone());
            result.dims_stated.clone_from(&whole.dims_stated);
            return Ok(result);
        }
        let mut part = slices::joined(&[Slice::new(whole, self.range_of(whole, mode, processes))], mode)?;
        part.placement = Placement::by_rows(mode, Arc::new(self.partition()));
        for other in 0..part.dims.len() {
            part.placement.set_numbering(other, whole.placement.numbering(other).cloned());
            parts::renumber(&mut part, other, None)?;
        }
        part.placement.forget();
        Ok(part)
    }

    /// The statement of a piece.
    pub(crate) fn description(&self) -> &StatementDescription {
        &self.description
    }

    /// Provides what this process computes the next piece on, whose tensors are cut.
    pub(crate) fn begin_piece(
        &mut self,
        piece: &mut DivisibleStatement<'_>,
        processes: &Processes,
    ) -> Result<Division, Error> {
        let partition = Arc::new(self.partition());
        let divided = DividedLabel { label: self.divided.label, partition, is_reduced: false };
        begin_along(piece, Some(&divided), processes, self.report.take())
    }

    /// Takes the result of a piece.
    pub(crate) fn finish_piece(
        &mut self,
        division: Division,
        mut result: Tensor,
        processes: &Processes,
    ) -> Result<(), Error> {
        self.report = finish_part(division, None, &mut result, processes)?;
        (0..result.dims.len()).try_for_each(|mode| parts::renumber(&mut result, mode, None))?;
        self.results.push(result);
        Ok(())
    }

    /// Returns the number of the next piece.
    pub(crate) fn next(&self) -> usize {
        self.results.len()
    }

    /// Whether all pieces are computed.
    pub(crate) fn is_complete(&self) -> bool {
        self.results.len() == self.count
    }

    /// Puts the results of all pieces together, and reports what has moved.
    pub(crate) fn finish(mut self, result: &mut Tensor, processes: &Processes) -> Result<(), Error> {
        let place = self.description.tensors.len() - 1;
        let mode = self.description.tensors[place].mode_of(self.divided.label);
        let mode = mode.ok_or_else(|| Error::Internal("a result in pieces has no such label".to_owned()))?;
        let pieces: Vec<Slice<'_>> = self.results.iter().map(|piece| Slice::whole(piece, mode)).collect();
        let mut joined = slices::joined(&pieces, mode)?;
        joined.placement = Placement::by_rows(mode, self.divided.partition.clone());
        *result = joined;
        if self.is_gathered {
            parts::gather(result, processes)?;
            self.report.iter_mut().for_each(|report| report.placed(&result.name, "gathered", processes));
        }
        self.report.map_or(Ok(()), |report| report.finish(result, processes))
    }

    /// The coordinates of a process that the next piece has: they count from the start of its range.
    fn range(&self, process: usize) -> Range<i64> {
        let (len, size) = (len(self.divided.partition.range(process)), self.sizes[process]);
        let bound = |piece: usize| (piece as i64).saturating_mul(size).min(len);
        bound(self.results.len())..bound(self.results.len() + 1)
    }

    /// Which coordinates of the next piece each process has.
    fn partition(&self) -> Partition {
        let mut bounds = vec![0];
        for process in 0..self.sizes.len() {
            bounds.push(bounds[process] + len(self.range(process)));
        }
        Partition::with_bounds(bounds)
    }

    /// The coordinates of the next piece in what this process has of a tensor.
    fn range_of(&self, tensor: &Tensor, mode: usize, processes: &Processes) -> Range<i64> {
        let range = self.range(processes.rank);
        let has_rows = tensor.placement.rows.as_ref().is_some_and(|rows| rows.mode == mode);
        let start = if has_rows { 0 } else { self.divided.partition.range(processes.rank).start };
        start + range.start..start + range.end
    }
}

/// Whether tensors have a label in one mode only, wherever they are read, unless every process has them.
fn can_be_cut(statement: &DivisibleStatement<'_>, label: usize) -> bool {
    let places = 0..statement.places.len();
    let mode = |place: usize| statement.labeled(place).mode_of(label);
    let is_read = |place: &usize| *place != statement.result() || statement.description.accumulates;
    let has_it_once =
        |place: usize| statement.labeled(place).labels.iter().filter(|other| **other == label).count() <= 1;
    let is_in_one_mode = |place: usize| {
        let same = places.clone().filter(|other| statement.places[*other] == statement.places[place]);
        let mut modes = same.filter(is_read).filter_map(mode);
        statement.description.replicated.contains(&place) || modes.all(|other| Some(other) == mode(place))
    };
    let mut read = places.clone().filter(is_read).filter(|place| mode(*place).is_some());
    places.clone().all(has_it_once) && read.all(is_in_one_mode)
}

fn len(range: Range<i64>) -> i64 {
    range.end - range.start
}
