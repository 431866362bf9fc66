//! Failures as Python's exceptions, which `comet_sparse/_errors.py` defines.

use comet_diag::{Color, Source, object};
use comet_driver::{Failure, FaultClass};
use comet_runtime::error::Status;
use comet_runtime::exit::Failure as CallFailure;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// The module with exceptions, and with the conversions that are written in Python.
pub(crate) fn module(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    let module = MODULE.get_or_try_init(py, || PyResult::Ok(py.import("comet_sparse._support")?.unbind()))?;
    Ok(module.bind(py))
}

fn exception(py: Python<'_>, class: &str, message: String) -> PyErr {
    let made = module(py).and_then(|module| module.getattr(class)?.call1((message,)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// `FormatError`.
pub(crate) fn format(py: Python<'_>, message: String) -> PyErr {
    exception(py, "FormatError", message)
}

/// `ShapeError`.
pub(crate) fn shape(py: Python<'_>, message: String) -> PyErr {
    exception(py, "ShapeError", message)
}

/// What a compilation fails with.
pub(crate) fn of_compilation(py: Python<'_>, failure: &Failure) -> PyErr {
    let nowhere = Source::new("", "");
    let source = failure.source().unwrap_or(&nowhere);
    let records: Vec<String> =
        failure.diagnostics().iter().map(|diagnostic| object(diagnostic, source).to_string()).collect();
    let is_internal = failure.fault() == FaultClass::Compiler;
    let made = module(py).and_then(|module| {
        let text = (records, source.text().to_owned(), failure.render(Color::Never), is_internal);
        module.getattr(intern!(py, "_failure"))?.call1(text)
    });
    made.map_or_else(|error| error, PyErr::from_value)
}

/// What the call of a kernel fails with.
pub(crate) fn of_call(py: Python<'_>, failure: CallFailure) -> PyErr {
    let class = match failure.status {
        Status::Format => "FormatError",
        Status::Shape => "ShapeError",
        Status::Memory => "_MemoryError",
        Status::File => "_FileError",
        Status::Data if failure.message.contains("divided by") || failure.message.contains("division") => {
            "_DivisionError"
        }
        Status::Data | Status::Argument => "_ArgumentError",
        Status::Internal | Status::Ok => "InternalError",
    };
    // What C programs are to do with a result's arrays.
    let of_c = ": release them before the call, and pass null pointers";
    let message = failure.message.replace(of_c, ": `out` needs the pattern of the result");
    exception(py, class, message)
}
