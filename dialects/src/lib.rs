//! The MLIR dialects of comet: their registration, and the C interface of their attributes and types.

pub mod ffi;
pub mod opt;
pub mod registration;
pub mod target;
mod typed;

pub use typed::TypedOp;
