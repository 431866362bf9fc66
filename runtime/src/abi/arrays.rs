//! The arrays of a tensor as MLIR memrefs.

use super::handle::{MemRef, Out, TensorHandle};
use super::tensors::no_such;
use super::unplaced;
use crate::error::Error;
use crate::tensor::{IndexArray, LevelStorage, Tensor};
use crate::values::Value;

/// Which array of a level.
#[derive(Clone, Copy)]
enum Part {
    Pos,
    Crd,
}

fn level_of(tensor: &Tensor, level: i64) -> Result<&LevelStorage, Error> {
    tensor.levels.get(level as usize).ok_or_else(|| no_such("level", level))
}

fn array_of(tensor: TensorHandle, level: i64, part: Part) -> Result<&'static IndexArray, Error> {
    let level = level_of(tensor.get()?, level)?;
    Ok(match part {
        Part::Pos => &level.pos,
        Part::Crd => &level.crd,
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
