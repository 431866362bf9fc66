//! The arrays of a tensor as MLIR memrefs, and their growth while a result is assembled.

use super::handle::{MemRef, Out, TensorHandle, Text};
use super::tensors::no_such;
use super::{guarded, unplaced};
use crate::error::Error;
use crate::memory::Array;
use crate::tensor::{ArrayName, IndexArray, LevelStorage, Tensor};
use crate::values::{Value, Values};

/// Which array of a level.
#[derive(Clone, Copy)]
enum Part {
    Pos,
    Crd,
}

fn level_of(tensor: &mut Tensor, level: i64) -> Result<&mut LevelStorage, Error> {
    tensor.levels.get_mut(level as usize).ok_or_else(|| no_such("level", level))
}

fn array_of(tensor: TensorHandle, level: i64, part: Part) -> Result<&'static mut IndexArray, Error> {
    let level = level_of(tensor.get_mut()?, level)?;
    Ok(match part {
        Part::Pos => &mut level.pos,
        Part::Crd => &mut level.crd,
    })
}

fn give_i32(out: Out<MemRef<i32>>, tensor: TensorHandle, level: i64, part: Part) {
    unplaced(|| match array_of(tensor, level, part)? {
        IndexArray::I32(array) => {
            out.set(MemRef::new(array.as_ptr(), array.len()));
            Ok(())
        }
        IndexArray::I64(_) => Err(other_width(level)),
    });
}

fn give_i64(out: Out<MemRef<i64>>, tensor: TensorHandle, level: i64, part: Part) {
    unplaced(|| match array_of(tensor, level, part)? {
        IndexArray::I64(array) => {
            out.set(MemRef::new(array.as_ptr(), array.len()));
            Ok(())
        }
        IndexArray::I32(_) => Err(other_width(level)),
    });
}

fn other_width(level: i64) -> Error {
    Error::Internal(format!("an array of level {level} has another width"))
}

/// The pos array of a level.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_pos_i32(
    out: Out<MemRef<i32>>,
    tensor: TensorHandle,
    level: i64,
) {
    give_i32(out, tensor, level, Part::Pos);
}

/// The crd array of a level.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_crd_i32(
    out: Out<MemRef<i32>>,
    tensor: TensorHandle,
    level: i64,
) {
    give_i32(out, tensor, level, Part::Crd);
}

/// The pos array of a level.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_pos_i64(
    out: Out<MemRef<i64>>,
    tensor: TensorHandle,
    level: i64,
) {
    give_i64(out, tensor, level, Part::Pos);
}

/// The crd array of a level; of BV its words.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_crd_i64(
    out: Out<MemRef<i64>>,
    tensor: TensorHandle,
    level: i64,
) {
    give_i64(out, tensor, level, Part::Crd);
}

fn give_values<V: Value>(out: Out<MemRef<V>>, tensor: TensorHandle) {
    unplaced(|| {
        let array = V::array(&tensor.get()?.values);
        let array = array.ok_or_else(|| Error::Internal("the values are of another type".to_owned()))?;
        out.set(MemRef::new(array.as_ptr(), array.len()));
        Ok(())
    });
}

/// The values.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_values_f64(out: Out<MemRef<f64>>, tensor: TensorHandle) {
    give_values(out, tensor);
}

/// The values.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_values_f32(out: Out<MemRef<f32>>, tensor: TensorHandle) {
    give_values(out, tensor);
}

/// The values.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _mlir_ciface_comet_rt_values_i64(out: Out<MemRef<i64>>, tensor: TensorHandle) {
    give_values(out, tensor);
}

fn resize_index(tensor: TensorHandle, level: i64, len: i64, part: Part, at: Text) {
    guarded(at, || {
        let name = tensor.get()?.name.clone();
        let what = ArrayName { tensor: &name, part: if matches!(part, Part::Pos) { "pos" } else { "crd" } };
        array_of(tensor, level, part)?.resize(checked_len(len)?, &what)
    });
}

/// Changes the length of a level's pos array; the first elements stay, new ones are zero.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_pos_resize(tensor: TensorHandle, level: i64, len: i64, at: Text) {
    resize_index(tensor, level, len, Part::Pos, at);
}

/// Changes the length of a level's crd array; the first elements stay, new ones are zero.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_crd_resize(tensor: TensorHandle, level: i64, len: i64, at: Text) {
    resize_index(tensor, level, len, Part::Crd, at);
}

/// Changes the number of values; the first ones stay, new ones are zero.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_values_resize(tensor: TensorHandle, len: i64, at: Text) {
    guarded(at, || {
        let Tensor { name, values, .. } = tensor.get_mut()?;
        let what = ArrayName { tensor: name, part: "values" };
        let len = checked_len(len)?;
        match values {
            Values::F64(array) => Array::resize(array, len, &what),
            Values::F32(array) => Array::resize(array, len, &what),
            Values::I64(array) => Array::resize(array, len, &what),
        }
    });
}

fn checked_len(len: i64) -> Result<usize, Error> {
    usize::try_from(len).map_err(|_| Error::Internal(format!("an array cannot have {len} elements")))
}
