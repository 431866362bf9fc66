//! Content: constants, literals, random numbers, files, lists of entries.

use super::handle::{Elements, TensorHandle, Text};
use crate::convert::set_literal;
use crate::coordinates::CoordinateTensor;
use crate::distributed;
use crate::error::Error;
use crate::load::read_tensor;
use crate::pack;
use crate::random::fill_random;
use crate::tensor::Tensor;
use crate::values::{C128, Value, ValueColumn, with_type};
use crate::write::write_tensor;

/// Sets all elements; complex ones are two numbers each.
fn set_numbers<V: Value>(tensor: &mut Tensor, numbers: &[V]) -> Result<(), Error> {
    let of = tensor.format.value;
    if !of.is_complex() {
        return set_literal(tensor, numbers);
    }
    let parts: Vec<f64> = V::column(numbers.to_vec()).converted()?;
    let values = parts.as_chunks::<2>().0.iter().map(|&[re, im]| C128 { re, im }).collect();
    let values = ValueColumn::C128(values);
    with_type!(of, T => set_literal::<T>(tensor, &values.converted()?))
}

exported! {
    [comet_rt_fill_f64 f64, comet_rt_fill_f32 f32, comet_rt_fill_i64 i64]
    fn(tensor: TensorHandle, value: V, at: Text) -> () {
        // Complex elements have it as their real part.
        distributed::fill(tensor.placed_mut()?, V::column(vec![value]))
    }
}

exported! {
    [comet_rt_set_literal_f64 f64, comet_rt_set_literal_f32 f32, comet_rt_set_literal_i64 i64]
    fn(tensor: TensorHandle, values: Elements<V>, count: i64, at: Text) -> () {
        set_numbers(tensor.overwritten()?, values.get(count)?)
    }
}

exported! {
    fn comet_rt_random(tensor: TensorHandle, density: f64, seed: i64, at: Text) {
        fill_random(tensor.overwritten()?, density, seed)
    }

    fn comet_rt_read(tensor: TensorHandle, source: Text, triangle: i64, at: Text) {
        read_tensor(tensor.overwritten()?, source.get(), triangle)
    }

    fn comet_rt_write(tensor: TensorHandle, path: Text, at: Text) {
        write_tensor(tensor.part()?, path.get())
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
    let tensor = tensor.overwritten()?;
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
