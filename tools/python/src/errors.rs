//! Failures as Python's exceptions, which `comet_sparse/_errors.py` defines.

use comet_diag::{Color, Diagnostic, Source, object, without_place};
use comet_driver::{Failure, FaultClass};
use comet_runtime::error::Status;
use comet_runtime::exit::Failure as CallFailure;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use serde_json::Value;

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

/// `NotSupportedError`.
pub(crate) fn not_supported(py: Python<'_>, message: String) -> PyErr {
    exception(py, "NotSupportedError", message)
}

/// The error about an operand, with what messages call that.
pub(crate) fn of_operand(py: Python<'_>, label: &str, error: PyErr) -> PyErr {
    let named = module(py).and_then(|module| module.getattr("_of_operand")?.call1((label, error.value(py))));
    named.map_or_else(|error| error, PyErr::from_value)
}

/// A text that is no format.
pub(crate) fn of_format(py: Python<'_>, text: &str, found: &[Diagnostic]) -> PyErr {
    // Formats are read in a declaration of `T`, which the user has not written.
    let plain = |text: &str| text.replace("`T`", "the tensor");
    let records = found.iter().map(|diagnostic| {
        let mut record = without_place("error", diagnostic.code(), &plain(&diagnostic.message));
        record["hint"] = diagnostic.hint.as_deref().map(plain).into();
        record
    });
    let records: Vec<Value> = records.collect();
    let parts = records.first().map(|record| (record["message"].as_str(), record["hint"].as_str()));
    let (message, hint) = parts.unwrap_or_default();
    let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
    let message = format!("the format `{text}`: {}{hint}", message.unwrap_or("it cannot be read"));
    let records: Vec<String> = records.iter().map(Value::to_string).collect();
    let made = module(py).and_then(|module| module.getattr("_format_failure")?.call1((message, records)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// What a compilation fails with.
pub(crate) fn of_compilation(py: Python<'_>, failure: &Failure) -> PyErr {
    let nowhere = Source::new("", "");
    let source = failure.source().unwrap_or(&nowhere);
    let records: Vec<String> =
        failure.diagnostics().iter().map(|diagnostic| object(diagnostic, source).to_string()).collect();
    let is_internal = failure.fault() == FaultClass::Compiler;
    let made = module(py).and_then(|module| {
        // Places count the lines of the text that they are in: the expression, or the schedule behind it.
        let mut labels = failure.diagnostics().iter().filter_map(|diagnostic| diagnostic.labels.first());
        let text = source.part_text(labels.next().map_or(0, |label| label.span.start)).to_owned();
        module.getattr(intern!(py, "_failure"))?.call1((
            records,
            text,
            failure.render(Color::Never),
            is_internal,
        ))
    });
    made.map_or_else(|error| error, PyErr::from_value)
}

/// What the call of a kernel fails with.
pub(crate) fn of_call(py: Python<'_>, failure: CallFailure) -> PyErr {
    let class = match failure.status {
        Status::Format => "FormatError",
        Status::Shape => "ShapeError",
        Status::Memory => "MemoryError",
        Status::File => "OSError",
        Status::Division => "ZeroDivisionError",
        Status::Data | Status::Argument => "ValueError",
        Status::Internal | Status::Ok => "InternalError",
    };
    // What C programs are to do with a result's arrays.
    let of_c = ": pass an empty one, whose arrays were released before";
    let message = failure.message.replace(of_c, ": `out` needs the pattern of the result");
    exception(py, class, message)
}
