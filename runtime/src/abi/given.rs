//! Sparse results that a caller passes with arrays: they state the pattern of the result, and only its values
//! are written.

use super::border::BorderTensor;
use super::call;
use super::handle::TensorHandle;
use crate::assemble;
use crate::error::Error;
use crate::memory::{Array, Plain};
use crate::tensor::{IndexArray, LevelStorage, Tensor};

/// Stores the coordinates of the outermost `levels` of another tensor in a result: borrows the caller's where
/// they are the same, so that nothing is allocated, and copies them elsewhere.
pub(super) fn same_pattern(result: TensorHandle, stored: &Tensor, levels: usize) -> Result<(), Error> {
    let room = call::current(|call| call.room.filter(|_| call.result == Some(result))).flatten();
    let tensor = result.get_mut()?;
    match room {
        Some(room) if takes_arrays(tensor, stored, levels, room.get()?)? => Ok(()),
        _ => assemble::same_pattern(tensor, stored, levels),
    }
}

/// Lets a tensor have the arrays of its caller if they have its pattern; returns whether they do.
fn takes_arrays(
    tensor: &mut Tensor,
    stored: &Tensor,
    levels: usize,
    room: &BorderTensor,
) -> Result<bool, Error> {
    // Blocks remember which of their positions are entries, which a caller's do not.
    if room.dims() != tensor.dims || tensor.format.format.pads() {
        return Ok(false);
    }
    let mut borrowed = room.borrow(&tensor.name, &tensor.format)?;
    let are_same =
        borrowed.levels[..levels].iter().zip(&stored.levels).all(|(own, other)| is_same(own, other));
    if are_same {
        tensor.set_storage(borrowed.take_storage());
    }
    Ok(are_same)
}

/// Refuses a result whose pattern is not the one that the caller's arrays state.
pub(super) fn check(tensor: &Tensor, given: &BorderTensor) -> Result<(), Error> {
    let name = &tensor.name;
    if given.dims() == tensor.dims {
        let stated = given.borrow(name, &tensor.format)?;
        if stated.levels.iter().zip(&tensor.levels).all(|(own, other)| is_same(own, other)) {
            return Ok(());
        }
    }
    Err(Error::Mismatch(format!(
        "the result `{name}` has other coordinates than the tensor that was passed for it: pass an empty one, \
         whose arrays were released before"
    )))
}

fn is_same(own: &LevelStorage, other: &LevelStorage) -> bool {
    let is_same = |own: &IndexArray, other: &IndexArray| match (own, other) {
        (IndexArray::I32(own), IndexArray::I32(other)) => has_elements(own, other),
        (IndexArray::I64(own), IndexArray::I64(other)) => has_elements(own, other),
        _ => false,
    };
    is_same(&own.pos, &other.pos) && is_same(&own.crd, &other.crd)
}

fn has_elements<T: Plain + Eq>(own: &Array<T>, other: &Array<T>) -> bool {
    own.len() == other.len() && (own.as_ptr() == other.as_ptr() || own[..] == other[..])
}
