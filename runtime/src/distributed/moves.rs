//! Rows that change places: to all processes, or to those that have them in another partition.

use super::Processes;
use super::encoded::{decoded, encoded};
use super::partition::Partition;
use super::placement::TensorRows;
use super::rows::{self, MovedRows, globally_numbered};
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::pack;
use crate::slices::{self, Slice};
use crate::tensor::Tensor;
use crate::unpack::unpack;
use crate::values::{Value, with_type};
use std::ops::Range;

/// Returns a copy of what this process has, with coordinates in the place of local numbers.
pub(super) fn copied(tensor: &Tensor) -> Result<Tensor, Error> {
    let mode = tensor.placement.rows.as_ref().map_or(0, |rows| rows.mode);
    let copy = match tensor.dims.is_empty() {
        true => decoded(&encoded(tensor), tensor)?,
        false => slices::joined(&[Slice::whole(tensor, mode)], mode)?,
    };
    globally_numbered(copy, tensor)
}

/// Returns the whole tensor, of which each process has rows.
pub(super) fn gathered(tensor: &Tensor, rows: &TensorRows, processes: &Processes) -> Result<Tensor, Error> {
    let all = std::iter::once(0..tensor.dims[rows.mode]).collect();
    let extent = |process| rows.partition.range(process).end - rows.partition.range(process).start;
    let received = (0..processes.count).map(|process| extent(process) as usize).collect();
    MovedRows { tensor, mode: rows.mode, sent: vec![all; processes.count], received }.exchange(processes)
}

/// Returns the whole tensor on the first process, and nothing of it on others.
pub(super) fn gathered_by_first(
    tensor: &Tensor,
    rows: &TensorRows,
    processes: &Processes,
) -> Result<Tensor, Error> {
    let (mut sent, mut received) = (vec![Vec::new(); processes.count], vec![0; processes.count]);
    sent[0] = std::iter::once(0..tensor.dims[rows.mode]).collect();
    if processes.rank == 0 {
        let extent = |process| rows.partition.range(process).end - rows.partition.range(process).start;
        received = (0..processes.count).map(|process| extent(process) as usize).collect();
    }
    MovedRows { tensor, mode: rows.mode, sent, received }.exchange(processes)
}

/// Returns the rows of this process in a partition of another mode, or in another one of the same mode.
pub(super) fn redistributed(
    tensor: &Tensor,
    rows: &TensorRows,
    mode: usize,
    partition: &Partition,
    processes: &Processes,
) -> Result<Tensor, Error> {
    let ranges = |of: &Partition| -> Vec<Range<i64>> {
        (0..processes.count).map(|process| of.range(process)).collect()
    };
    let (old, new) = (ranges(&rows.partition), ranges(partition));
    if mode == rows.mode {
        let (own, wanted) = (&old[processes.rank], &new[processes.rank]);
        let from_own = |range: Range<i64>| range.start - own.start..range.end - own.start;
        let sent = new.iter().map(|range| vec![from_own(common(range, own))]).collect();
        let received = old.iter().map(|range| common(range, wanted)).map(|range| range.end - range.start);
        let received = received.map(|count| count as usize).collect();
        return MovedRows { tensor, mode, sent, received }.exchange(processes);
    }
    let copy = tensor.placement.numbering(mode).map(|_| copied(tensor)).transpose()?;
    rows::exchanged(copy.as_ref().unwrap_or(tensor), rows.mode, mode, &new, processes)
}

/// What two ranges have in common: an empty range within the second where that is nothing.
fn common(one: &Range<i64>, other: &Range<i64>) -> Range<i64> {
    let start = one.start.clamp(other.start, other.end);
    start..one.end.clamp(start, other.end)
}

/// Adds up the entries of partial results of all processes, by rank: returns those in the rows of this one,
/// or all where there is no partition. `partial` has coordinates, and `old` is what they are added to.
pub(super) fn summed(
    partial: &Tensor,
    target: Option<(usize, &Partition)>,
    old: Option<&Tensor>,
    processes: &Processes,
) -> Result<Tensor, Error> {
    let mut sent = Vec::new();
    match target {
        None => sent = vec![encoded(partial); processes.count],
        Some((mode, partition)) => {
            for process in 0..processes.count {
                let slice = Slice::new(partial, partition.range(process));
                sent.push(encoded(&slices::joined(&[slice], mode)?));
            }
        }
    }
    let sent: Vec<&[u8]> = sent.iter().map(Vec::as_slice).collect();
    let mut tensors = Vec::new();
    for bytes in processes.exchange(&sent)? {
        tensors.push(decoded(&bytes, partial)?);
    }
    let all: Vec<&Tensor> = old.into_iter().chain(&tensors).collect();
    let mut summed = Tensor::new(&partial.name, partial.format.clone());
    summed.dims.clone_from(&tensors[0].dims);
    summed.dims_stated.clone_from(&partial.dims_stated);
    let entries = with_type!(partial.format.value, T => listed::<T>(&all, &summed.dims))?;
    pack::store(&mut summed, &entries)?;
    Ok(summed)
}

/// The entries of tensors, one after the other.
fn listed<T: Value>(tensors: &[&Tensor], dims: &[i64]) -> Result<CoordinateTensor, Error> {
    let mut coords = vec![Vec::new(); dims.len()];
    let mut values: Vec<T> = Vec::new();
    for tensor in tensors {
        let own = unpack(tensor)?;
        coords.iter_mut().zip(own.coords).for_each(|(column, own)| column.extend(own));
        values.extend(T::slice(&own.values).expect("parts have one type of values"));
    }
    Ok(CoordinateTensor { dims: dims.to_vec(), coords, values: T::column(values) })
}
