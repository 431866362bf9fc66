//! Entries that go to the processes that have their rows.

use super::Processes;
use super::partition::Partition;
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::memory::{Plain, bytes_of, bytes_of_mut, zeroed_vec};
use crate::tensor::Tensor;
use crate::values::{Value, ValueColumn, with_type};

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
    let total: u64 = processes.numbers_of_all(&[sum])?.iter().sum();
    if total == 0 {
        return Ok(Partition::even(extent, processes.count));
    }
    let share = |process: usize| (u128::from(total) * process as u128 / processes.count as u128) as u64;
    let mut ranges = vec![(0, extent); processes.count - 1];
    while ranges.iter().any(|(low, high)| low < high) {
        let middles: Vec<i64> = ranges.iter().map(|(low, high)| low + (high - low) / 2).collect();
        let own: Vec<u64> = middles.iter().map(|middle| before[*middle as usize]).collect();
        let all = processes.numbers_of_all(&own)?;
        for (number, (low, high)) in ranges.iter_mut().enumerate().filter(|(_, (low, high))| low < high) {
            let count: u64 = all.iter().skip(number).step_by(own.len()).sum();
            if count >= share(number + 1) { *high = middles[number] } else { *low = middles[number] + 1 }
        }
    }
    let inner = ranges.into_iter().map(|(low, _)| low);
    Ok(Partition::with_bounds([0].into_iter().chain(inner).chain([extent]).collect()))
}

/// The partition of the rows of a tensor that gets these entries: of as many rows each where it is dense.
pub(super) fn partition_for(
    tensor: &Tensor,
    entries: &CoordinateTensor,
    mode: usize,
    processes: &Processes,
) -> Result<Partition, Error> {
    match tensor.format.format.is_dense() {
        true => Ok(Partition::even(entries.dims[mode], processes.count)),
        false => balanced(entries, mode, processes),
    }
}

/// Sends entries to the processes that have their rows, and returns those of the rows of this process, which
/// are counted from its first one.
pub(super) fn own_rows(
    entries: CoordinateTensor,
    mode: usize,
    partition: &Partition,
    processes: &Processes,
) -> Result<CoordinateTensor, Error> {
    let own = partition.range(processes.rank);
    let mut entries = exchanged(entries, mode, partition, processes)?;
    entries.coords[mode].iter_mut().for_each(|coordinate| *coordinate -= own.start);
    entries.dims[mode] = own.end - own.start;
    Ok(entries)
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
            let message = "more than 4,294,967,295 entries on one process: start more processes";
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
        let all = processes.numbers_of_all(&counts)?;
        let received = all.iter().skip(processes.rank).step_by(processes.count);
        Ok(Self { places, sent, received: received.map(|count| *count as usize).collect() })
    }

    fn exchanged<T: Plain>(&mut self, own: &[T], processes: &Processes) -> Result<Vec<T>, Error> {
        let what = "entries of other processes";
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
