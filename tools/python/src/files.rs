//! Files of tensors, and the order of their indices.

use crate::call::with_tensor;
use crate::errors;
use crate::operand::{Copying, Family, Usage, View};
use crate::pool;
use crate::result;
use crate::tensor::Made;
use comet_expression::format_of_text;
use comet_format::{Format, TypedFormat};
use comet_runtime::exit::Failure as CallFailure;
use comet_runtime::kernel::BorderTensor;
use comet_runtime::read::{is_array_file, read_element_type};
use comet_runtime::reorder::{Method, Modes, apply, reorder as permutations};
use comet_runtime::{Error, ReadOptions, pack, read_file, unpack, write_file};
use numpy::IntoPyArray as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::path::{Path, PathBuf};

fn failed(py: Python<'_>, error: &Error) -> PyErr {
    errors::of_call(py, CallFailure::new("", error))
}

fn format_named(py: Python<'_>, text: &str, rank: usize) -> PyResult<Format> {
    format_of_text(text, rank).map_err(|(_, found)| errors::of_format(py, text, &found))
}

/// What a matrix or tensor of a file is stored as where nothing is stated: NumPy's arrays hold every
/// position.
fn default_format(path: &Path, rank: usize) -> Result<Format, Error> {
    Ok(match rank {
        _ if is_array_file(path)? => Format::dense(rank),
        0 | 1 => Format::dense(rank),
        2 => Format::csr(),
        _ => Format::csf(rank),
    })
}

/// Reads a Matrix Market, FROSTT or NumPy file.
#[pyfunction]
pub(crate) fn read(py: Python<'_>, path: PathBuf, format: Option<&str>) -> PyResult<Py<PyAny>> {
    let entries = py.detach(|| {
        let value = read_element_type(&path)?;
        let entries = read_file(&path, &ReadOptions { value, ..ReadOptions::default() })?;
        let usual = default_format(&path, entries.rank())?;
        Ok((value, entries, usual))
    });
    let (value, entries, usual) = entries.map_err(|error| failed(py, &error))?;
    let format = match format {
        Some(text) => format_named(py, text, entries.rank())?,
        None => usual,
    };
    let format = TypedFormat { value, format };
    let packed = py.detach(|| pack(&entries, &format));
    let border = packed
        .and_then(|tensor| BorderTensor::hand_over(tensor, pool::allocator()))
        .map_err(|error| failed(py, &error))?;
    Ok(result::object(py, &Made { format: &format, border: &border }, &[Family::Tensor])?.unbind())
}

/// Writes a tensor; the ending of the name decides how.
#[pyfunction]
pub(crate) fn write(py: Python<'_>, path: PathBuf, tensor: &Bound<'_, PyAny>) -> PyResult<()> {
    let view = View::of(tensor, Usage::Tensor, Copying::Warned)?;
    with_tensor(py, &view, |tensor| write_file(tensor, &path)).map_err(|error| failed(py, &error))
}

/// Permutes the indices of a tensor; returns it in a format, and for each mode the old index of each new one.
#[pyfunction]
pub(crate) fn reorder<'py>(
    py: Python<'py>,
    tensor: &Bound<'py, PyAny>,
    method: &str,
    format: Option<&str>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyList>)> {
    let method = match method {
        "lexi" => Method::Lexi { iterations: Method::ITERATIONS },
        "rcm" => Method::Rcm,
        "degree" => Method::Degree,
        other => {
            let message = format!("expected the method `lexi`, `rcm` or `degree`, found `{other}`");
            return Err(PyValueError::new_err(message));
        }
    };
    let view = View::of(tensor, Usage::Tensor, Copying::Warned)?;
    let typed = view.typed().expect("an operand that is no scalar is a tensor");
    let format = match format {
        Some(text) => format_named(py, text, typed.format.rank)?,
        None => typed.format.clone(),
    };
    let format = TypedFormat { format, ..typed.clone() };
    let done = with_tensor(py, &view, |tensor| {
        let mut entries = unpack(tensor)?;
        let found = permutations(&entries, method, &Modes::All)?;
        apply(&mut entries, &found)?;
        Ok((pack(&entries, &format)?, found))
    });
    let done =
        done.and_then(|(packed, found)| Ok((BorderTensor::hand_over(packed, pool::allocator())?, found)));
    let (border, found) = done.map_err(|error| failed(py, &error))?;
    let object = result::object(py, &Made { format: &format, border: &border }, &[view.family])?;
    let lists = found.iter().map(|permutation| permutation.inverse().numbers().to_vec().into_pyarray(py));
    Ok((object, PyList::new(py, lists.collect::<Vec<_>>())?))
}
