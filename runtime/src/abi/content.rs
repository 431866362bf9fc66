//! Content: constants, literals, random numbers, files, lists of entries.

use super::handle::{Elements, TensorHandle, Text};
use crate::convert::{fill, set_literal};
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::load::read_tensor;
use crate::pack;
use crate::random::fill_random;
use crate::values::Value;
use crate::write::write_tensor;

exported! {
    [comet_rt_fill_f64 f64, comet_rt_fill_f32 f32, comet_rt_fill_i64 i64]
    fn(tensor: TensorHandle, value: V, at: Text) -> () {
        fill(tensor.get_mut()?, value)
    }
}

exported! {
    [comet_rt_set_literal_f64 f64, comet_rt_set_literal_f32 f32, comet_rt_set_literal_i64 i64]
    fn(tensor: TensorHandle, values: Elements<V>, count: i64, at: Text) -> () {
        set_literal(tensor.get_mut()?, values.get(count)?)
    }
}

exported! {
    fn comet_rt_random(tensor: TensorHandle, density: f64, seed: i64, at: Text) {
        fill_random(tensor.get_mut()?, density, seed)
    }

    fn comet_rt_read(tensor: TensorHandle, source: Text, triangle: i64, at: Text) {
        read_tensor(tensor.get_mut()?, source.get(), triangle)
    }

    fn comet_rt_write(tensor: TensorHandle, path: Text, at: Text) {
        write_tensor(tensor.get()?, path.get())
    }
}

/// Packs entries into a tensor whose extents are set: `coords` holds the coordinates of one entry after
/// another.
fn pack_entries<V: Value>(
    tensor: TensorHandle,
    coords: Elements<i64>,
    values: Elements<V>,
    count: i64,
) -> Result<(), Error> {
    let tensor = tensor.get_mut()?;
    let rank = tensor.dims.len();
    let entry_major = coords.get(count.saturating_mul(rank as i64))?;
    let column = |mode: usize| entry_major.iter().skip(mode).step_by(rank).copied().collect();
    let entries = CoordinateTensor {
        dims: tensor.dims.clone(),
        coords: (0..rank).map(column).collect(),
        values: V::column(values.get(count)?.to_vec()),
    };
    entries.check()?;
    pack::store(tensor, &entries)
}

exported! {
    [comet_rt_pack_f64 f64, comet_rt_pack_f32 f32, comet_rt_pack_i64 i64]
    fn(tensor: TensorHandle, coords: Elements<i64>, values: Elements<V>, count: i64, at: Text) -> () {
        pack_entries(tensor, coords, values, count)
    }
}
