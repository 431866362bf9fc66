//! Kernels that other programs call: what the compiler and the run time both know of them.

pub(crate) mod check;
mod extents;
pub mod signature;

pub(crate) use extents::Extents;
pub use signature::{Extent, Parameter, ParameterKind, Role, Signature, Size};

/// The version of the structures in `include/comet.h`.
pub const ABI_VERSION: u32 = 1;

/// The most modes of a tensor at a kernel's border, and the most levels: `COMET_MOST_MODES`.
pub const MOST_MODES: usize = 16;

/// The structures and their helpers in C, which stand in front of the functions of every library.
pub const HEADER: &str = include_str!("../include/comet.h");
