//! What generated code calls: tensors, files, packing, printing. No LLVM.
//!
//! Rust programs use [`read_file`], [`pack()`] and [`unpack()`]; generated code uses the C functions of
//! `abi`, which [`symbols::table`] lists for the JIT.

mod abi;
mod assemble;
pub mod asynchronous;
pub mod convert;
pub mod coordinates;
pub mod dense;
pub mod destination;
pub mod distributed;
pub mod error;
pub mod exit;
pub mod instrument;
pub mod kernel;
pub mod launch;
mod levels;
mod load;
mod magnitude;
pub mod memory;
pub mod number;
pub mod options;
pub mod output;
pub mod pack;
mod presence;
mod print;
pub mod random;
pub mod read;
pub mod reorder;
pub mod replace;
pub mod signals;
pub mod size;
mod slices;
pub mod source;
pub mod symbols;
pub mod tensor;
mod threads;
pub mod unpack;
pub mod values;
mod window;
pub mod write;

pub use convert::convert;
pub use coordinates::CoordinateTensor;
pub use error::Error;
pub use pack::pack;
pub use read::{ReadOptions, read_file};
pub use tensor::Tensor;
pub use unpack::unpack;
pub use write::write_file;
