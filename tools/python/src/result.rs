//! Results of kernels as Python's objects: NumPy's arrays, SciPy's matrices, or tensors.

use crate::errors;
use crate::operand::Family;
use crate::tensor::{Made, blocks};
use comet_format::{Format, ValueType};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The object of a result. SciPy's are matrices where all sparse operands were.
pub(crate) fn object<'py>(
    py: Python<'py>,
    made: &Made<'_>,
    families: &[Family],
) -> PyResult<Bound<'py, PyAny>> {
    let format = &made.format.format;
    if format.is_dense() {
        let array = made.array(py)?;
        // As NumPy returns it.
        return if format.rank == 0 { array.get_item(PyTuple::empty(py)) } else { Ok(array) };
    }
    let is_sparse = |family: &&Family| **family != Family::Dense;
    let mut sparse = families.iter().filter(is_sparse).peekable();
    let is_matrix = sparse.peek().is_some() && sparse.all(|family| *family == Family::SparseMatrix);
    let name = match format.levels {
        _ if format.rank > 2 || format.rank == 0 => None,
        // SciPy has no matrices of halves.
        _ if made.format.value == ValueType::F16 => None,
        ref levels if *levels == Format::csr().levels => Some("csr"),
        ref levels if *levels == Format::csc().levels => Some("csc"),
        ref levels if *levels == Format::coo(format.rank).levels && format.rank == 2 => Some("coo"),
        _ if blocks(format).is_some() => Some("bsr"),
        _ => None,
    };
    let module = errors::module(py)?;
    let Some(name) = name else {
        let class = module.getattr(intern!(py, "Tensor"))?;
        return class.call_method1(intern!(py, "_of"), (made.tensor(py)?,));
    };
    let shape = PyTuple::new(py, made.dims())?;
    let build = module.getattr(intern!(py, "_build"))?;
    match name {
        "coo" => {
            let rows = made.level(py, 0)?;
            let columns = made.level(py, 1)?;
            build.call1((name, is_matrix, shape, made.values(py)?, &rows[1], &columns[1]))
        }
        _ => {
            let [indptr, indices] = made.level(py, 1)?;
            let data = match blocks(format) {
                Some([rows, columns]) => {
                    let shape = (-1, rows, columns);
                    made.values(py)?.call_method1(intern!(py, "reshape"), (shape,))?
                }
                None => made.values(py)?,
            };
            build.call1((name, is_matrix, shape, data, indices, indptr))
        }
    }
}
