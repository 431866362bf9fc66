//! The functions of the module besides those on files.

use crate::errors;
use crate::expression::in_source;
use crate::stated::words;
use comet_driver::embedded::{self, KernelSource};
use comet_expression::{OperandKind, StatementText};
use comet_runtime::exit::Failure as CallFailure;
use comet_sema::kernel::{Parameter, ParameterKind};
use pyo3::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// A name, and the number of modes of a tensor.
type OperandWords = (String, Option<usize>);

/// The operands of statements with their numbers of modes, none of a scalar, and the name of the result.
#[pyfunction]
pub(crate) fn interface(py: Python<'_>, text: &str) -> PyResult<(Vec<OperandWords>, Option<String>)> {
    let parsed =
        StatementText::parse(text).map_err(|failed| errors::of_compilation(py, &in_source(failed)))?;
    let interface = parsed.interface();
    Ok((interface.operands, interface.result))
}

/// A parameter: its name, `in`, `inout` or `out`, its format or `scalar`, its element type, its rank.
type ParameterWords = (String, String, String, &'static str, usize);

/// The functions of a file with their parameters, the result last.
#[pyfunction]
pub(crate) fn functions(
    py: Python<'_>,
    name: &str,
    text: &str,
) -> PyResult<Vec<(String, Vec<ParameterWords>)>> {
    let found = embedded::signatures(&KernelSource::of_text(name, text));
    let found = found.map_err(|failure| errors::of_compilation(py, &failure))?;
    let parameter = |parameter: &Parameter| {
        let kind = match &parameter.kind {
            ParameterKind::Tensor { format, .. } => OperandKind::Tensor(format.clone()),
            ParameterKind::Scalar(value) => OperandKind::Scalar(*value),
        };
        let (format, element, rank) = words(&kind);
        (parameter.name.clone(), parameter.role.to_string(), format, element, rank)
    };
    Ok(found
        .iter()
        .map(|found| (found.name.clone(), found.parameters.iter().map(parameter).collect()))
        .collect())
}

/// The command line of `comet`, in this process; returns the exit code.
#[pyfunction]
pub(crate) fn main(arguments: Vec<OsString>) -> u8 {
    let code = comet_driver::comet_main_with(arguments);
    (0..u8::MAX).find(|other| ExitCode::from(*other) == code).unwrap_or(u8::MAX)
}

/// States where the module is, which the cache of compiled code goes by, and what starts the command `comet`.
#[pyfunction]
pub(crate) fn set_library(library: PathBuf, command: Vec<OsString>) {
    comet_driver::set_host(comet_driver::Host { library, command });
}

/// The version of the package.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

#[pyfunction]
pub(crate) fn set_num_threads(py: Python<'_>, threads: usize) -> PyResult<()> {
    comet_runtime::options::set_threads(threads)
        .map_err(|error| errors::of_call(py, CallFailure::new("", &error)))
}

#[pyfunction]
pub(crate) fn get_num_threads() -> usize {
    comet_runtime::options::threads()
}

/// The folder of the cache, the number of its entries, and their bytes.
#[pyfunction]
pub(crate) fn cache_info(py: Python<'_>) -> PyResult<(Option<PathBuf>, usize, u64)> {
    embedded::cache_usage().map_err(|failure| errors::of_compilation(py, &failure))
}

#[pyfunction]
pub(crate) fn cache_clear(py: Python<'_>) -> PyResult<()> {
    embedded::clear_cache().map_err(|failure| errors::of_compilation(py, &failure))
}
