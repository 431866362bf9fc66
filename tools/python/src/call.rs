//! What takes the addresses of arrays for true: calls of kernels, and arrays as tensors of the run time.

use crate::pool;
use comet_driver::embedded::KernelCode;
use comet_format::TypedFormat;
use comet_runtime::Error;
use comet_runtime::exit::Failure;
use comet_runtime::kernel::{BorderTensor, CallSettings};
use comet_runtime::tensor::Tensor;

/// Calls the kernel of that number with an argument for each parameter: addresses of tensors whose arrays the
/// caller holds, of numbers, and numbers' bits.
pub(crate) fn called(code: &KernelCode, number: usize, arguments: &[u64]) -> Result<(), Failure> {
    let settings = CallSettings { allocator: Some(pool::allocator()), ..CallSettings::default() };
    // SAFETY: views have looked at the arrays, which are as long as they state, and the caller holds them.
    unsafe { code.call(number, arguments, settings) }
}

/// Runs a body on arrays, which the caller holds, as a tensor of the run time.
pub(crate) fn with_tensor<R>(
    border: &BorderTensor,
    format: &TypedFormat,
    body: impl FnOnce(&Tensor) -> Result<R, Error>,
) -> Result<R, Error> {
    // SAFETY: a view has looked at the arrays, and the tensor does not outlive the body.
    body(&unsafe { border.as_tensor("the tensor", format)? })
}
