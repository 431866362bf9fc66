//! Kernels that other programs call: what the compiler and the run time both know of them.

pub(crate) mod check;
pub(crate) mod processor;

pub use crate::abi::border::{BorderLevel, BorderTensor};
pub use crate::abi::kernel::{Body, CallSettings, call_kernel, refuse_call};
pub use crate::abi::rows::BorderRows;
pub(crate) use check::CheckedLevel;
pub use check::arrays as check_arrays;

/// The version of the structures in `include/comet.h`.
pub const ABI_VERSION: u32 = 1;

/// The structures and their helpers in C, which come before the functions of every library.
pub const HEADER: &str = include_str!("../include/comet.h");

/// The classes for the structures in C++, which come after them.
pub const CXX_HEADER: &str = include_str!("../include/comet.hpp");
