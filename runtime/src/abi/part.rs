//! Tensors that tasks work on, each its own, while another tensor owns them.

use crate::tensor::Tensor;
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
    pub(super) fn address(&self) -> *mut Tensor {
        self.0.as_ptr()
    }

    /// The tensor. No task has it any more.
    pub(crate) fn into_inner(self) -> Tensor {
        let own = std::mem::ManuallyDrop::new(self);
        // SAFETY: the address is that of a box, which nothing else takes.
        *unsafe { Box::from_raw(own.0.as_ptr()) }
    }
}

impl Drop for PartTensor {
    fn drop(&mut self) {
        // SAFETY: as above.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}
