//! Packing: from a list of entries to any list of levels.
//!
//! Each entry gets a key, the coordinates of its levels side by side, outermost in the highest bits. Keys
//! are sorted, equal ones summed, and the levels are then built from the outside in, each from the fibers
//! its parents left. Two lists of levels do without keys: those that are all dense, and dense ones above a
//! single compressed one.

mod dense;
mod keys;
mod levels;
mod rows;
mod sort;
mod weight;

use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::memory::Array;
use crate::tensor::with_width;
use crate::tensor::{Index, Tensor};
use crate::values::with_type;
use crate::values::{Value, Values};
use comet_format::TypedFormat;
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
    with_type!(tensor.format.value, T => store_values::<T>(tensor, entries))
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
    with_width!(tensor.format.format.index_width, N => build::<N, V>(tensor, keys, values))
}

fn build<I: Index, V: Value>(tensor: &mut Tensor, keys: &Keys, values: Array<V>) -> Result<usize, Error> {
    let Built { levels, values, present, scratch } =
        LevelBuilder::<I>::new(tensor, keys, values.len()).build(values)?;
    tensor.levels = levels;
    tensor.values = Values::stored(values, tensor.format.value)?;
    tensor.present = present;
    Ok(scratch)
}

fn store_values<V: Value>(tensor: &mut Tensor, entries: &CoordinateTensor) -> Result<(), Error> {
    match V::slice(&entries.values) {
        Some(values) => store_indices(tensor, &entries.coords, values),
        None => store_indices(tensor, &entries.coords, &entries.values.converted::<V>()?),
    }
}

fn store_indices<V: Value>(tensor: &mut Tensor, coords: &[Vec<i64>], values: &[V]) -> Result<(), Error> {
    with_width!(tensor.format.format.index_width, N => store_as::<N, V>(tensor, coords, values))
}

fn store_as<I: Index, V: Value>(tensor: &mut Tensor, coords: &[Vec<i64>], values: &[V]) -> Result<(), Error> {
    if tensor.format.format.is_dense() {
        return dense::store::<I, V>(tensor, coords, values);
    }
    if rows::fits(&tensor.format.format.levels) {
        return rows::store::<I, V>(tensor, coords, values);
    }
    let keys = Keys::new(tensor, coords, values.len())?;
    let (keys, values) = sort::sort_and_sum(keys, values, &tensor.name)?;
    build::<I, V>(tensor, &keys, values).map(|_| ())
}
