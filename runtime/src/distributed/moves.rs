//! Rows that change places: to all processes, or to those that have them in another partition.

use super::Processes;
use super::encoded::{decoded, encoded};
use super::ghosts::globally_numbered;
use super::partition::Partition;
use super::placement::TensorRows;
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::pack;
use crate::slices::{self, Slice};
use crate::tensor::Tensor;
use crate::unpack::unpack;
use crate::values::{Value, with_type};

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
    let is_numbered = (0..tensor.dims.len()).any(|mode| tensor.placement.numbering(mode).is_some());
    let own = if is_numbered { encoded(&copied(tensor)?) } else { encoded(tensor) };
    let parts = processes.exchange(&vec![&own[..]; processes.count])?;
    joined(&parts, tensor, rows.mode)
}

/// Returns the rows of this process in a partition of another mode, or in another one of the same mode.
pub(super) fn redistributed(
    tensor: &Tensor,
    rows: &TensorRows,
    mode: usize,
    partition: &Partition,
    processes: &Processes,
) -> Result<Tensor, Error> {
    let own = rows.partition.range(processes.rank);
    let copy = tensor.placement.numbering(mode).map(|_| copied(tensor)).transpose()?;
    let from = copy.as_ref().unwrap_or(tensor);
    let mut sent = Vec::new();
    for process in 0..processes.count {
        let wanted = partition.range(process);
        let range = match mode == rows.mode {
            true => wanted.start.max(own.start) - own.start..wanted.end.min(own.end) - own.start,
            false => wanted,
        };
        let range = if range.is_empty() { 0..0 } else { range };
        let part = slices::joined(&[Slice::new(from, range)], mode)?;
        let part = if copy.is_some() { part } else { globally_numbered(part, tensor)? };
        sent.push(encoded(&part));
    }
    let sent: Vec<&[u8]> = sent.iter().map(Vec::as_slice).collect();
    let parts = processes.exchange(&sent)?;
    joined(&parts, tensor, rows.mode)
}

/// Joins what all processes have sent.
fn joined(parts: &[Vec<u8>], like: &Tensor, mode: usize) -> Result<Tensor, Error> {
    let mut tensors = Vec::new();
    for bytes in parts {
        tensors.push(decoded(bytes, like)?);
    }
    let parts: Vec<Slice<'_>> = tensors.iter().map(|tensor| Slice::whole(tensor, mode)).collect();
    slices::joined(&parts, mode)
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
