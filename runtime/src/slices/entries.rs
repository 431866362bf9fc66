//! Of any tensors: their entries, packed anew.

use super::Slice;
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::pack;
use crate::tensor::Tensor;
use crate::unpack::for_each_entry_within;
use crate::values::{Value, with_type};

pub(super) fn join(joined: &mut Tensor, slices: &[Slice<'_>], mode: usize) -> Result<(), Error> {
    let entries = with_type!(joined.format.value, T => listed::<T>(joined, slices, mode))?;
    pack::store(joined, &entries)
}

/// Lists the entries of slices, one slice after the other.
fn listed<T: Value>(joined: &Tensor, slices: &[Slice<'_>], mode: usize) -> Result<CoordinateTensor, Error> {
    let mut coords = vec![Vec::new(); joined.dims.len()];
    let mut values: Vec<T> = Vec::new();
    let mut first = 0;
    for slice in slices {
        let mut positions = Vec::new();
        let Some(bounds) = bounds(slice, mode) else { continue };
        let starts = starts(slice, first);
        for_each_entry_within(slice.tensor, &bounds, |entry, position| {
            let Some(coordinate) = numbered(slice, &starts, entry[mode]) else { return };
            for (other, (column, number)) in coords.iter_mut().zip(entry).enumerate() {
                column.push(if other == mode { coordinate } else { *number });
            }
            positions.push(position);
        });
        let column = slice.tensor.values.gather(positions.into_iter());
        values.extend(T::slice(&column).expect("slices have one type of values"));
        first += slice.len();
    }
    Ok(CoordinateTensor { dims: joined.dims.clone(), coords, values: T::column(values) })
}

/// From the first to the last coordinate of a slice, and all of other modes.
fn bounds(slice: &Slice<'_>, mode: usize) -> Option<Vec<(i64, i64)>> {
    let (first, last) = (slice.ranges.first()?.start, slice.ranges.last()?.end - 1);
    let mut bounds: Vec<(i64, i64)> = slice.tensor.dims.iter().map(|extent| (0, extent - 1)).collect();
    bounds[mode] = (first, last);
    Some(bounds)
}

/// The number of the first coordinate of each range.
fn starts(slice: &Slice<'_>, first: i64) -> Vec<i64> {
    let before = slice.ranges.iter().scan(first, |next, range| {
        let start = *next;
        *next += range.end - range.start;
        Some(start)
    });
    before.collect()
}

fn numbered(slice: &Slice<'_>, starts: &[i64], coordinate: i64) -> Option<i64> {
    let after = slice.ranges.partition_point(|range| range.end <= coordinate);
    let range = slice.ranges.get(after).filter(|range| range.contains(&coordinate))?;
    Some(starts[after] + coordinate - range.start)
}
