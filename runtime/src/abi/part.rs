//! Tensors that tasks work on, each its own, while another tensor owns them.

use crate::memory::Array;
use crate::memory::shared::SharedArray;
use crate::tensor::{Index, Tensor};
use std::ptr::NonNull;

/// A tensor whose address generated code may have.
pub(crate) struct PartTensor(NonNull<Tensor>);

// SAFETY: it owns the tensor as a box does. Through its address, each task changes the one that is its own.
unsafe impl Send for PartTensor {}
// SAFETY: as above.
unsafe impl Sync for PartTensor {}

impl PartTensor {
    pub(crate) fn new(tensor: Tensor) -> Self {
        Self(NonNull::from(Box::leak(Box::new(tensor))))
    }

    /// Where the tensor is, as long as this lives.
    pub(crate) fn address(&self) -> *mut Tensor {
        self.0.as_ptr()
    }

    /// The tensor, which no task has any more.
    pub(crate) fn get(&self) -> &Tensor {
        // SAFETY: as for `get_mut`.
        unsafe { self.0.as_ref() }
    }

    pub(crate) fn get_mut(&mut self) -> &mut Tensor {
        // SAFETY: the address is that of a box, and who has given it to a task waits for its end.
        unsafe { self.0.as_mut() }
    }

    /// Lets the task store positions of a level in the array of all parts, which does not grow, and lives as
    /// long as they do.
    pub(crate) fn share_positions<I: Index>(&mut self, level: usize, all: &SharedArray<I>) {
        let (start, len) = all.elements();
        // SAFETY: the elements live as long as this. Each task stores those of its own iterations, and nobody
        // looks at the array as a part's: the run time reads and writes them through `all`.
        let array = unsafe { Array::borrowed(start, len) };
        self.get_mut().levels[level].pos = I::store(array);
    }
}

impl Drop for PartTensor {
    fn drop(&mut self) {
        // SAFETY: as above.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}
