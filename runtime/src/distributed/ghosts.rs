//! Rows that other processes have: received before a statement reads them ([`expanded`]), and sent back
//! with partial results after it ([`folded`]).
//!
//! Of a dense tensor whose rows have w bytes, n rows move as n · w bytes: both sides know which rows they
//! are. A row of any other tensor moves with the lengths and coordinates that it has.

use super::Processes;
use super::numbering::{Numbering, Received};
use super::partition::Partition;
use super::rows::MovedRows;
use crate::error::Error;
use crate::memory::{Array, Plain, bytes_of, bytes_of_mut, zeroed_vec};
use crate::slices;
use crate::tensor::{ArrayName, Tensor};
use crate::values::{Cell, Value, Values, with_cell, with_type};
use comet_notation::Operator;
use std::ops::Range;
use std::sync::Arc;

/// Returns the rows that have local numbers, of a tensor of which each process has its own.
pub(super) fn expanded(
    tensor: &Tensor,
    mode: usize,
    numbering: &Numbering,
    processes: &Processes,
) -> Result<Tensor, Error> {
    match slices::is_dense(tensor) {
        true => {
            let mut local = slices::without_values(tensor, mode, numbering.len() as i64)?;
            with_cell!(tensor.format.value, T => {
                let values = expanded_values::<T>(tensor, mode, numbering, processes)?;
                local.values = T::store(values, tensor.format.value);
            });
            Ok(local)
        }
        false => fetched(tensor, mode, numbering, processes),
    }
}

/// Has a dense tensor lend its values to one of the rows that have local numbers: what it has is a slice of
/// that one, and what others send is received beside it. `None` where the values of rows are apart from each
/// other, or are those of a kernel's caller. [`take_back`] returns the values.
pub(super) fn lend(
    tensor: &mut Tensor,
    mode: usize,
    numbering: &Arc<Numbering>,
    processes: &Processes,
) -> Result<Option<Tensor>, Error> {
    if !slices::is_dense(tensor) || Layout::of(tensor, mode)?.outer != 1 {
        return Ok(None);
    }
    let mut local = slices::without_values(tensor, mode, numbering.len() as i64)?;
    with_cell!(tensor.format.value, T => {
        if T::array(&tensor.values).is_none_or(Array::is_borrowed) {
            return Ok(None);
        }
        let values = lend_values::<T>(tensor, mode, numbering, processes)?;
        local.values = T::store(values, tensor.format.value);
    });
    local.placement.set_numbering(mode, Some(numbering.clone()));
    Ok(Some(local))
}

fn lend_values<T: Cell>(
    tensor: &mut Tensor,
    mode: usize,
    numbering: &Numbering,
    processes: &Processes,
) -> Result<Array<T>, Error> {
    let layout = Layout::of(tensor, mode)?;
    let (rows, what) = (tensor.dims[mode] as usize, ArrayName { tensor: &tensor.name, part: "values" });
    let own = T::array_mut(&mut tensor.values).expect("the values are of this type");
    let packed = |process| layout.packed(own, rows, &positions(numbering.sent_to(process)));
    let sent: Vec<Vec<T>> = (0..processes.count).map(packed).collect();
    let sent: Vec<&[u8]> = sent.iter().map(|values| bytes_of(values)).collect();
    let before = numbering.own().start * layout.inner;
    let behind = (numbering.len() - numbering.own().end) * layout.inner;
    if !own.widen(before, behind) {
        let mut with_room = Array::with_room(before, own.len(), behind, &what)?;
        with_room.copy_from_slice(own);
        *own = with_room;
        assert!(own.widen(before, behind), "there is room");
    }
    let mut into = rooms(own, numbering, layout.inner, |received| received.first);
    processes.exchange_into(&sent, &mut into)?;
    Ok(std::mem::replace(own, Array::empty()))
}

/// Returns the values that a tensor has lent for the rows of local numbers.
pub(super) fn take_back(local: Tensor, tensor: &mut Tensor, numbering: &Numbering) -> Result<(), Error> {
    with_cell!(tensor.format.value, T => {
        let mut local = local;
        let values = T::array_mut(&mut local.values).expect("the values are of this type");
        let each = values.len() / numbering.len().max(1);
        values.narrow(numbering.own().start * each..numbering.own().end * each);
        tensor.values = std::mem::replace(&mut local.values, Values::empty(tensor.format.value));
    });
    Ok(())
}

/// How the values of a dense tensor lie around those of a mode: for each outer position a row for each
/// coordinate, of so many values.
struct Layout {
    outer: usize,
    inner: usize,
}

impl Layout {
    fn of(tensor: &Tensor, mode: usize) -> Result<Self, Error> {
        let level = slices::level_of(tensor, mode);
        let level =
            level.ok_or_else(|| Error::Internal(format!("`{}` has no level of a mode", tensor.name)))?;
        let size = |levels: Range<usize>| levels.map(|level| tensor.level_size(level) as usize).product();
        Ok(Self { outer: size(0..level), inner: size(level + 1..tensor.levels.len()) })
    }

    /// The values of rows, for each outer position.
    fn runs(&self, rows: usize, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let inner = self.inner;
        (0..self.outer).map(move |outer| {
            let before = outer * rows;
            (before + range.start) * inner..(before + range.end) * inner
        })
    }

    /// The values of rows, in the order of [`Self::each`].
    fn packed<T: Plain>(&self, values: &[T], rows: usize, ranges: &[Range<usize>]) -> Vec<T> {
        let count: usize = ranges.iter().map(ExactSizeIterator::len).sum();
        let mut packed = Vec::with_capacity(count * self.outer * self.inner);
        for run in self.each(rows, ranges) {
            packed.extend_from_slice(&values[run]);
        }
        packed
    }

    /// The values of ranges of rows, for one outer position after the other.
    fn each(&self, rows: usize, ranges: &[Range<usize>]) -> impl Iterator<Item = Range<usize>> {
        let inner = self.inner;
        (0..self.outer).flat_map(move |outer| {
            let before = outer * rows;
            ranges.iter().map(move |range| (before + range.start) * inner..(before + range.end) * inner)
        })
    }
}

/// The local numbers of what is received.
fn numbers(received: &Received<'_>) -> Range<usize> {
    received.first..received.first + received.coordinates.len()
}

fn positions(ranges: &[Range<i64>]) -> Vec<Range<usize>> {
    ranges.iter().map(|range| range.start as usize..range.end as usize).collect()
}

/// The parts of values that each process sends, where each row has so many of them and `first_of` returns the
/// first row of a process.
fn rooms<'a, T: Plain>(
    values: &'a mut [T],
    numbering: &Numbering,
    each: usize,
    first_of: impl Fn(&Received<'_>) -> usize,
) -> Vec<&'a mut [u8]> {
    let mut rooms: Vec<&mut [u8]> = (0..numbering.partition().processes()).map(|_| &mut [][..]).collect();
    let (mut rest, mut place) = (values, 0);
    for received in numbering.received() {
        let first = first_of(&received) * each;
        let (_, after) = std::mem::take(&mut rest).split_at_mut(first - place);
        let (room, after) = after.split_at_mut(received.coordinates.len() * each);
        rooms[received.process] = bytes_of_mut(room);
        (rest, place) = (after, first + received.coordinates.len() * each);
    }
    rooms
}

fn expanded_values<T: Cell>(
    tensor: &Tensor,
    mode: usize,
    numbering: &Numbering,
    processes: &Processes,
) -> Result<Array<T>, Error> {
    let layout = Layout::of(tensor, mode)?;
    let own = T::array(&tensor.values).expect("the values are of this type");
    let (rows, local) = (tensor.dims[mode] as usize, numbering.len());
    let packed = |process| layout.packed(own, rows, &positions(numbering.sent_to(process)));
    let sent: Vec<Vec<T>> = (0..processes.count).map(packed).collect();
    let sent: Vec<&[u8]> = sent.iter().map(|values| bytes_of(values)).collect();
    let what = ArrayName { tensor: &tensor.name, part: "rows of other processes" };
    let mut values = Array::<T>::unspecified(local * layout.outer * layout.inner, &what)?;
    for (from, to) in layout.runs(rows, 0..rows).zip(layout.runs(local, numbering.own())) {
        values[to].copy_from_slice(&own[from]);
    }
    if layout.outer == 1 {
        let mut into = rooms(&mut values, numbering, layout.inner, |received| received.first);
        processes.exchange_into(&sent, &mut into)?;
        return Ok(values);
    }
    // In the buffer, there is nothing between what processes below and above send.
    let own_rows = numbering.own();
    let first_of = |received: &Received<'_>| match received.first < own_rows.start {
        true => received.first,
        false => received.first - own_rows.len(),
    };
    let each = layout.outer * layout.inner;
    let mut buffer: Vec<T> = zeroed_vec((local - own_rows.len()) * each, &what)?;
    processes.exchange_into(&sent, &mut rooms(&mut buffer, numbering, each, first_of))?;
    for received in numbering.received() {
        let mut rest = &buffer[first_of(&received) * each..];
        for run in layout.runs(local, numbers(&received)) {
            let (own, after) = rest.split_at(run.len());
            values[run].copy_from_slice(own);
            rest = after;
        }
    }
    Ok(values)
}

/// Receives rows of a sparse tensor.
fn fetched(
    tensor: &Tensor,
    mode: usize,
    numbering: &Numbering,
    processes: &Processes,
) -> Result<Tensor, Error> {
    let mut received = vec![0; processes.count];
    numbering.received().for_each(|from| received[from.process] = from.coordinates.len());
    let mut sent: Vec<Vec<Range<i64>>> =
        (0..processes.count).map(|process| numbering.sent_to(process).to_vec()).collect();
    sent[processes.rank] = std::iter::once(0..tensor.dims[mode]).collect();
    received[processes.rank] = numbering.own().len();
    MovedRows { tensor, mode, sent, received }.exchange(processes)
}

/// Which rows of a partial result go where.
pub(super) struct FoldedRows {
    /// How many a partial result has.
    local: usize,
    /// Those of a partial result that are this process's own.
    own: Range<usize>,
    /// Those that each process gets of this one's partial result.
    sent: Vec<Vec<Range<usize>>>,
    /// Those of its own that this process gets of each other one.
    received: Vec<Vec<Range<usize>>>,
}

impl FoldedRows {
    /// Of partial results that have the rows of local numbers.
    pub(super) fn numbered(numbering: &Numbering) -> Self {
        let count = numbering.partition().processes();
        let mut sent = vec![Vec::new(); count];
        numbering.received().for_each(|received| sent[received.process].push(numbers(&received)));
        let received = (0..count).map(|process| positions(numbering.sent_to(process))).collect();
        Self { local: numbering.len(), own: numbering.own(), sent, received }
    }

    /// Of partial results that have all rows.
    pub(super) fn all(partition: &Partition, rank: usize) -> Self {
        let range = |process| positions(&[partition.range(process)]);
        let own = partition.range(rank).start as usize..partition.range(rank).end as usize;
        let others = |ranges: &dyn Fn(usize) -> Vec<Range<usize>>| {
            let of = |process| if process == rank { Vec::new() } else { ranges(process) };
            (0..partition.processes()).map(of).collect()
        };
        let len = own.len();
        let received = others(&|_| std::iter::once(0..len).collect());
        Self { local: partition.extent() as usize, own, sent: others(&range), received }
    }
}

/// Combines the partial results of all processes for the rows of each, by rank: returns a dense tensor of the
/// rows of this one.
pub(super) fn folded(
    partial: &Tensor,
    mode: usize,
    rows: &FoldedRows,
    operator: Operator,
    processes: &Processes,
) -> Result<Tensor, Error> {
    let mut folded = slices::without_values(partial, mode, rows.own.len() as i64)?;
    folded.values = with_type!(partial.format.value, T => {
        T::store(folded_values::<T>(partial, mode, rows, operator, processes)?, partial.format.value)
    });
    Ok(folded)
}

fn folded_values<T: Value>(
    partial: &Tensor,
    mode: usize,
    rows: &FoldedRows,
    operator: Operator,
    processes: &Processes,
) -> Result<Array<T>, Error> {
    let layout = Layout::of(partial, mode)?;
    let values = T::array(&partial.values).ok_or_else(|| not_computed(partial))?;
    let sent: Vec<Vec<T>> =
        rows.sent.iter().map(|ranges| layout.packed(values, rows.local, ranges)).collect();
    let sent: Vec<&[u8]> = sent.iter().map(|values| bytes_of(values)).collect();
    let what = ArrayName { tensor: &partial.name, part: "values" };
    let count = rows.own.len();
    let mut own = Array::<T>::unspecified(count * layout.outer * layout.inner, &what)?;
    for (to, from) in layout.runs(count, 0..count).zip(layout.runs(rows.local, rows.own.clone())) {
        own[to].copy_from_slice(&values[from]);
    }
    let mut received: Vec<Vec<T>> = Vec::new();
    for ranges in &rows.received {
        let count: usize = ranges.iter().map(ExactSizeIterator::len).sum();
        received.push(zeroed_vec(count * layout.outer * layout.inner, &what)?);
    }
    let mut into: Vec<&mut [u8]> = received.iter_mut().map(|values| bytes_of_mut(values)).collect();
    processes.exchange_into(&sent, &mut into)?;
    for (values, ranges) in received.iter().zip(&rows.received) {
        let mut rest = &values[..];
        for run in layout.each(count, ranges) {
            let (new, after) = rest.split_at(run.len());
            combine(&mut own[run], new, operator);
            rest = after;
        }
    }
    Ok(own)
}

/// Combines the partial results of all processes, by rank: every process gets the same dense tensor.
pub(super) fn combined(partial: &mut Tensor, operator: Operator, processes: &Processes) -> Result<(), Error> {
    with_type!(partial.format.value, T => combine_all::<T>(partial, operator, processes))
}

/// How many values of each process are combined at a time, which bounds the buffer for those of all.
const COMBINED_AT_ONCE: usize = 1 << 20;

fn combine_all<T: Value>(
    partial: &mut Tensor,
    operator: Operator,
    processes: &Processes,
) -> Result<(), Error> {
    let values = T::array_mut(&mut partial.values);
    let Some(values) = values else { return Err(not_computed(partial)) };
    for values in values.chunks_mut(COMBINED_AT_ONCE) {
        let all: Vec<T> = processes.numbers_of_all(values)?;
        values.copy_from_slice(&all[..values.len()]);
        all.chunks(values.len()).skip(1).for_each(|others| combine(values, others, operator));
    }
    Ok(())
}

/// Adds the values of another dense tensor, which come first.
pub(super) fn add(tensor: &mut Tensor, first: &Tensor) -> Result<(), Error> {
    with_type!(tensor.format.value, T => {
        let first = T::array(&first.values).ok_or_else(|| not_computed(first))?;
        assert_eq!(first.len(), tensor.values.len(), "both have the same rows");
        let Some(values) = T::array_mut(&mut tensor.values) else { return Err(not_computed(tensor)) };
        let sum = |first, value| Operator::Add.apply(first, value).expect("a sum is some number");
        values.iter_mut().zip(&first[..]).for_each(|(value, first)| *value = sum(*first, *value));
        Ok(())
    })
}

/// Combines values with others, element by element.
pub(super) fn combine<T: Value>(values: &mut [T], others: &[T], operator: Operator) {
    for (value, other) in values.iter_mut().zip(others) {
        *value = operator.apply(*value, *other).expect("only a quotient may be none");
    }
}

fn not_computed(tensor: &Tensor) -> Error {
    Error::Internal(format!("the values of `{}` are not combined as they are stored", tensor.name))
}
