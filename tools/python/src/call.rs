//! What takes the addresses of arrays for true: calls of kernels, and arrays as tensors of the run time.

use crate::operand::{View, ViewValue};
use crate::pool;
use comet_driver::embedded::KernelCode;
use comet_format::TypedFormat;
use comet_runtime::Error;
use comet_runtime::exit::Failure;
use comet_runtime::kernel::{BorderTensor, CallSettings};
use comet_runtime::tensor::Tensor;
use pyo3::prelude::*;

/// Calls the kernel of that number with an argument for each parameter: addresses of tensors whose arrays the
/// caller holds, of numbers, and numbers' bits. The processes of a communicator call it together.
pub(crate) fn called(
    code: &KernelCode,
    number: usize,
    arguments: &[u64],
    communicator: Option<i32>,
) -> Result<(), Failure> {
    let allocator = Some(pool::allocator());
    let settings = CallSettings { allocator, communicator, ..CallSettings::default() };
    // SAFETY: views have looked at the arrays, which are as long as they state, and the caller holds them.
    unsafe { code.call(number, arguments, settings) }
}

/// Runs a body, without the interpreter's lock, on the arrays of an operand as a tensor of the run time.
pub(crate) fn with_tensor<R: Send>(
    py: Python<'_>,
    view: &View<'_>,
    body: impl FnOnce(&Tensor) -> Result<R, Error> + Send,
) -> Result<R, Error> {
    match (&view.value, view.typed()) {
        (ViewValue::Tensor(border), Some(format)) => with_border(py, border, format, body),
        _ => Err(Error::Internal("a scalar is no tensor".to_owned())),
    }
}

/// The same on arrays that the caller holds.
pub(crate) fn with_border<R: Send>(
    py: Python<'_>,
    border: &BorderTensor,
    format: &TypedFormat,
    body: impl FnOnce(&Tensor) -> Result<R, Error> + Send,
) -> Result<R, Error> {
    // SAFETY: the arrays are of the types of the format, live, and are as long as the border states.
    let tensor = unsafe { border.as_tensor("the tensor", format)? };
    py.detach(move || body(&tensor))
}
