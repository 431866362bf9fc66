//! The extension module of `comet_sparse`: expressions that are compiled in the process and called on
//! Python's arrays.

mod arguments;
mod array;
mod call;
mod errors;
mod expression;
mod files;
mod functions;
mod operand;
mod pool;
mod promotion;
mod result;
mod stated;
mod system;
mod tensor;
mod together;

use pyo3::prelude::*;

/// What `comet_sparse` is made of; nothing here is for users.
#[pymodule]
mod _comet {
    #[pymodule_export]
    use super::array::OwnedMemory;
    #[pymodule_export]
    use super::expression::KernelsOfExpression;
    #[pymodule_export]
    use super::files::{read, reorder, write};
    #[pymodule_export]
    use super::functions::{
        cache_clear, cache_info, functions, get_num_threads, interface, main, set_library, set_num_threads,
        version,
    };
    #[pymodule_export]
    use super::tensor::TensorObject;
}
