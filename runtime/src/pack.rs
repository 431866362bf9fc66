//! Packing: from a list of entries to any list of levels.
//!
//! Each entry gets a key, the coordinates of its levels side by side, outermost in the highest bits. Keys
//! are sorted, equal ones summed, and the levels are then built from the outside in, each from the fibers
//! its parents left. Two lists of levels do without keys: those that are all dense, and dense ones above a
//! single compressed one.

mod dense;
mod every;
mod keyed;
mod keys;
mod levels;
mod rows;
mod sort;
mod weight;

use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::memory::{Array, Plain};
use crate::tensor::with_width;
use crate::tensor::{Index, Tensor};
use crate::values::{Stores, Value, Values, cells, with_stored, with_type};
use comet_format::{TypedFormat, ValueType};
pub(crate) use every::EveryPosition;
pub(crate) use keyed::KeyedEntries;
pub(crate) use keys::{Field, Keys, layout as key_layout};
use levels::Built;

pub(crate) use dense::DensePlaces;
pub(crate) use levels::{LevelBuilder, NOTHING, ParentFibers};
pub(crate) use weight::Weighing;
pub use weight::{Weight, weigh};

/// Packs entries into a format. Entries may come in any order; those at the same coordinates are summed in
/// the order they come in.
///
/// # Errors
/// Coordinates outside the extents, two coordinates where an S level stores one, positions that 32 bits
/// cannot hold, values that are no integers where the format stores `int`, and storage that does not fit
/// the memory.
pub fn pack(entries: &CoordinateTensor, format: &TypedFormat) -> Result<Tensor, Error> {
    entries.check()?;
    let mut tensor = Tensor::new("the tensor", format.clone());
    tensor.dims.clone_from(&entries.dims);
    store(&mut tensor, entries)?;
    Ok(tensor)
}

/// Replaces the storage of a tensor by these entries, whose coordinates are known to be below its extents.
pub(crate) fn store(tensor: &mut Tensor, entries: &CoordinateTensor) -> Result<(), Error> {
    tensor.check_dims()?;
    // Frees the old storage first, so that both need not fit the memory at once.
    drop(tensor.take_storage());
    with_stored!(tensor.format.value, V, T => store_values::<V, T>(tensor, entries))
}

/// Makes a tensor hold no entries: a dense one zeros.
pub(crate) fn store_nothing(tensor: &mut Tensor) -> Result<(), Error> {
    let values = with_type!(tensor.format.value, T => T::column(Vec::new()));
    let nothing =
        CoordinateTensor { dims: tensor.dims.clone(), coords: vec![Vec::new(); tensor.dims.len()], values };
    store(tensor, &nothing)
}

/// Stores values whose keys are in order and unique: their levels are built, and the values stay where they
/// are unless dense levels follow. Returns the most bytes that this took at once besides the keys and the
/// tensor.
pub(crate) fn store_sorted<V: Value>(
    tensor: &mut Tensor,
    keys: &Keys,
    values: Array<V>,
) -> Result<usize, Error> {
    let (values, scratch) =
        with_width!(tensor.format.format.index_width, N => build::<N, V>(tensor, keys, values)?);
    tensor.values = Values::stored(values, tensor.format.value)?;
    Ok(scratch)
}

/// Builds the levels of a tensor from entries whose keys are sorted and unique. Returns the values at the
/// positions of the last level, and the peak of temporary memory in bytes.
fn build<I: Index, P: Plain>(
    tensor: &mut Tensor,
    keys: &Keys,
    values: Array<P>,
) -> Result<(Array<P>, usize), Error> {
    let Built { levels, values, present, scratch } =
        LevelBuilder::<I>::new(tensor, keys, values.len()).build(values)?;
    tensor.levels = levels;
    tensor.present = present;
    Ok((values, scratch))
}

fn store_values<V: Value, T: Stores<V>>(
    tensor: &mut Tensor,
    entries: &CoordinateTensor,
) -> Result<(), Error> {
    match V::slice(&entries.values) {
        Some(values) => store_indices::<V, T>(tensor, &entries.coords, values),
        None => store_indices::<V, T>(tensor, &entries.coords, &entries.values.converted()?),
    }
}

fn store_indices<V: Value, T: Stores<V>>(
    tensor: &mut Tensor,
    coords: &[Vec<i64>],
    values: &[V],
) -> Result<(), Error> {
    with_width!(tensor.format.format.index_width, N => store_as::<N, V, T>(tensor, coords, values))
}

fn store_as<I: Index, V: Value, T: Stores<V>>(
    tensor: &mut Tensor,
    coords: &[Vec<i64>],
    values: &[V],
) -> Result<(), Error> {
    if tensor.format.format.is_dense() {
        return dense::store::<I, V, T>(tensor, coords, values);
    }
    let of = tensor.format.value;
    let cells = match T::of_computed(values) {
        Some(cells) => store_payload::<I, T>(tensor, coords, cells, |run| T::sum(run, of))?,
        None => {
            let narrow = cells::<V, T>(values, of)?;
            store_payload::<I, T>(tensor, coords, &narrow, |run| T::sum(run, of))?
        }
    };
    if cells.entries == values.len() || adds_up_as_stored(of) {
        tensor.values = T::store(cells.values, of);
        return Ok(());
    }
    drop(cells);
    let sums = store_payload::<I, V>(tensor, coords, values, sum_of)?;
    tensor.values = Values::stored(sums.values, of)?;
    Ok(())
}

/// True if sums of elements are the same when each addition stores an element.
pub(crate) fn adds_up_as_stored(of: ValueType) -> bool {
    of.is_computed() || of.wraps()
}

fn sum_of<V: Value>(run: &[V]) -> V {
    run.iter().copied().reduce(V::add).unwrap_or_default()
}

/// What entries have become.
struct StoredPayload<P: Plain> {
    /// How many entries are left of those at the same coordinates.
    entries: usize,
    values: Array<P>,
}

/// Stores the levels of entries, and returns their values.
fn store_payload<I: Index, P: Plain>(
    tensor: &mut Tensor,
    coords: &[Vec<i64>],
    values: &[P],
    sum: impl Fn(&[P]) -> P + Sync,
) -> Result<StoredPayload<P>, Error> {
    if rows::fits(&tensor.format.format.levels) {
        let values =
            rows::store::<I, P>(tensor, coords, values, |sum_before, value| sum(&[sum_before, value]))?;
        return Ok(StoredPayload { entries: values.len(), values });
    }
    let keys = Keys::new(tensor, coords, values.len())?;
    let (keys, values) = sort::sort_and_sum(keys, values, &tensor.name, sum)?;
    let entries = values.len();
    let (values, _) = build::<I, P>(tensor, &keys, values)?;
    Ok(StoredPayload { entries, values })
}
