//! Files that each process reads a part of: entries go to the processes that get their rows.

use super::partition::Partition;
use super::placement::Placement;
use super::{Processes, divided_from, processes};
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::load::take_extents;
use crate::memory::{Plain, bytes_of, bytes_of_mut, zeroed_vec};
use crate::read::{FilePart, FileTensor, ReadOptions, read_part};
use crate::slices;
use crate::tensor::Tensor;
use crate::values::{Value, ValueColumn, with_type};
use std::path::Path;
use std::sync::Arc;

/// Reads the rows of this process, if the file and the tensor permit it: returns their entries, and places
/// the tensor. The mode of the outermost level is divided, with about as many entries for each process.
pub(crate) fn read_rows(
    tensor: &mut Tensor,
    path: &Path,
    options: &ReadOptions,
) -> Result<Option<CoordinateTensor>, Error> {
    let Some(processes) = processes().filter(|processes| processes.count > 1) else { return Ok(None) };
    let mode = (0..tensor.dims.len()).find(|mode| slices::level_of(tensor, *mode) == Some(0));
    let Some(mode) = mode else { return Ok(None) };
    let Some(part) = read_part(path, options, (processes.rank, processes.count))? else { return Ok(None) };
    let FilePart { entries, .. } = part;
    let is_divided = entries.dims[mode] >= divided_from().max(processes.count) as i64;
    // A file that is wrong as a whole is read as one, so that the error is the same.
    if !is_consistent(part.lines, part.sides, processes)? || !is_divided {
        return Ok(None);
    }
    let file = FileTensor { entries, at_least: false };
    take_extents(tensor, &file, path)?;
    let entries = file.entries;
    let partition = match tensor.format.format.is_dense() {
        true => Partition::even(entries.dims[mode], processes.count),
        false => balanced(&entries, mode, processes)?,
    };
    let own = partition.range(processes.rank);
    let mut entries = exchanged(entries, mode, &partition, processes)?;
    entries.coords[mode].iter_mut().for_each(|coordinate| *coordinate -= own.start);
    entries.dims[mode] = own.end - own.start;
    tensor.dims[mode] = own.end - own.start;
    tensor.placement = Placement::by_rows(mode, Arc::new(partition));
    Ok(Some(entries))
}

/// Whether all parts together have as many entries as the file states, on one side of the diagonal.
fn is_consistent([found, stated]: [u64; 2], sides: [bool; 2], processes: &Processes) -> Result<bool, Error> {
    let numbers = of_all(&[found, u64::from(sides[0]), u64::from(sides[1])], processes)?;
    let sum = |number: usize| -> u64 { numbers.iter().skip(number).step_by(3).sum() };
    Ok(sum(0) == stated && (sum(1) == 0 || sum(2) == 0))
}

fn of_all(own: &[u64], processes: &Processes) -> Result<Vec<u64>, Error> {
    let bytes = processes.of_all(bytes_of(own))?;
    let mut numbers = vec![0u64; own.len() * processes.count];
    bytes_of_mut(&mut numbers).copy_from_slice(&bytes);
    Ok(numbers)
}

/// A partition with about as many entries for each process. All look for its bounds at once, by bisection.
fn balanced(entries: &CoordinateTensor, mode: usize, processes: &Processes) -> Result<Partition, Error> {
    let extent = entries.dims[mode];
    let mut before: Vec<u64> = zeroed_vec(extent as usize + 1, &"the numbers of entries in rows")?;
    entries.coords[mode].iter().for_each(|coordinate| before[*coordinate as usize + 1] += 1);
    let mut sum = 0;
    for count in &mut before {
        sum += *count;
        *count = sum;
    }
    let total: u64 = of_all(&[sum], processes)?.iter().sum();
    let share = |process: usize| (u128::from(total) * process as u128 / processes.count as u128) as u64;
    let mut ranges = vec![(0, extent); processes.count - 1];
    while ranges.iter().any(|(low, high)| low < high) {
        let middles: Vec<i64> = ranges.iter().map(|(low, high)| low + (high - low) / 2).collect();
        let own: Vec<u64> = middles.iter().map(|middle| before[*middle as usize]).collect();
        let all = of_all(&own, processes)?;
        for (number, (low, high)) in ranges.iter_mut().enumerate().filter(|(_, (low, high))| low < high) {
            let count: u64 = all.iter().skip(number).step_by(own.len()).sum();
            if count >= share(number + 1) { *high = middles[number] } else { *low = middles[number] + 1 }
        }
    }
    let inner = ranges.into_iter().map(|(low, _)| low);
    Ok(Partition::with_bounds([0].into_iter().chain(inner).chain([extent]).collect()))
}

/// Sends entries to the processes that have their rows, and returns what comes of all, by rank.
fn exchanged(
    entries: CoordinateTensor,
    mode: usize,
    partition: &Partition,
    processes: &Processes,
) -> Result<CoordinateTensor, Error> {
    let CoordinateTensor { dims, coords, values } = entries;
    let mut order = Order::new(&coords[mode], partition, processes)?;
    let mut columns = Vec::new();
    for column in coords {
        columns.push(order.exchanged(&column, processes)?);
    }
    let values = with_type!(values.value_type(), T => exchanged_values::<T>(values, &mut order, processes)?);
    Ok(CoordinateTensor { dims, coords: columns, values })
}

fn exchanged_values<T: Value>(
    values: ValueColumn,
    order: &mut Order,
    processes: &Processes,
) -> Result<ValueColumn, Error> {
    let own = T::slice(&values).expect("the values are of this type");
    Ok(T::column(order.exchanged(own, processes)?))
}

/// The entries of this process in the order of those that get them.
struct Order {
    /// The place of each entry.
    places: Vec<u32>,
    /// How many entries each process gets, and how many come of it.
    sent: Vec<usize>,
    received: Vec<usize>,
}

impl Order {
    fn new(column: &[i64], partition: &Partition, processes: &Processes) -> Result<Self, Error> {
        if column.len() > u32::MAX as usize {
            let message = "more than 4,294,967,295 entries of a file on one process: start more processes";
            return Err(Error::Unsupported(message.to_owned()));
        }
        let mut sent = vec![0; processes.count];
        column.iter().for_each(|coordinate| sent[partition.owner(*coordinate)] += 1);
        let mut next: Vec<usize> = Vec::new();
        let mut sum = 0;
        for count in &sent {
            next.push(sum);
            sum += count;
        }
        let mut places: Vec<u32> = zeroed_vec(column.len(), &"the order of entries")?;
        for (place, coordinate) in places.iter_mut().zip(column) {
            let owner = partition.owner(*coordinate);
            *place = next[owner] as u32;
            next[owner] += 1;
        }
        let counts: Vec<u64> = sent.iter().map(|count| *count as u64).collect();
        let all = of_all(&counts, processes)?;
        let received = all.iter().skip(processes.rank).step_by(processes.count);
        Ok(Self { places, sent, received: received.map(|count| *count as usize).collect() })
    }

    fn exchanged<T: Plain>(&mut self, own: &[T], processes: &Processes) -> Result<Vec<T>, Error> {
        let what = "entries of a file";
        let mut ordered: Vec<T> = zeroed_vec(own.len(), &what)?;
        for (place, value) in self.places.iter().zip(own) {
            ordered[*place as usize] = *value;
        }
        let mut received: Vec<T> = zeroed_vec(self.received.iter().sum(), &what)?;
        let (mut rest, mut out) = (&ordered[..], Vec::new());
        for count in &self.sent {
            let (part, others) = rest.split_at(*count);
            out.push(bytes_of(part));
            rest = others;
        }
        let (mut rest, mut into) = (&mut received[..], Vec::new());
        for count in &self.received {
            let (part, others) = std::mem::take(&mut rest).split_at_mut(*count);
            into.push(bytes_of_mut(part));
            rest = others;
        }
        processes.exchange_into(&out, &mut into)?;
        Ok(received)
    }
}
