//! The arrays of a tensor as MLIR memrefs.

use super::handle::{MemRef, Out, TensorHandle};
use super::tensors::no_such;
use crate::error::Error;
use crate::memory::{Array, Plain};
use crate::tensor::{Index, LevelStorage, Tensor};
use crate::values::Cell;

fn level_of(tensor: &Tensor, level: i64) -> Result<&LevelStorage, Error> {
    tensor.levels.get(level as usize).ok_or_else(|| no_such("level", level))
}

/// Returns an array to C, or fails where the tensor has it with elements of another type.
fn set<T: Plain>(out: Out<MemRef<T>>, array: Option<&Array<T>>, what: &str) -> Result<(), Error> {
    let array = array.ok_or_else(|| Error::Internal(format!("{what} have another type")))?;
    out.set_array((array.as_ptr(), array.len()))
}

exported! {
    [_mlir_ciface_comet_rt_pos_i32 i32, _mlir_ciface_comet_rt_pos_i64 i64]
    fn(out: Out<MemRef<V>>, tensor: TensorHandle, level: i64) -> () {
        set(out, V::elements(&level_of(tensor.get()?, level)?.pos), "the elements of an array of a level")
    }
}

exported! {
    [_mlir_ciface_comet_rt_crd_i32 i32, _mlir_ciface_comet_rt_crd_i64 i64]
    fn(out: Out<MemRef<V>>, tensor: TensorHandle, level: i64) -> () {
        set(out, V::elements(&level_of(tensor.get()?, level)?.crd), "the elements of an array of a level")
    }
}

exported! {
    [
        _mlir_ciface_comet_rt_values_f64 f64,
        _mlir_ciface_comet_rt_values_f32 f32,
        _mlir_ciface_comet_rt_values_i64 i64,
        _mlir_ciface_comet_rt_values_i8 u8,
        _mlir_ciface_comet_rt_values_i16 u16,
        _mlir_ciface_comet_rt_values_i32 u32,
    ]
    fn(out: Out<MemRef<V>>, tensor: TensorHandle) -> () {
        let numbers = V::numbers(&tensor.get()?.values);
        out.set_array(numbers.ok_or_else(|| Error::Internal("the values have another type".to_owned()))?)
    }
}
