//! Calls that the processes of a communicator of MPI make together, each with its rows of operands.

use crate::errors;
use comet_driver::embedded;
use comet_runtime::error::Status;
use comet_runtime::exit::Failure;
use comet_runtime::kernel::{BorderRows, BorderTensor, refuse_call};
use pyo3::prelude::*;
use std::cell::Cell;

/// The processes that call a kernel together.
pub(crate) struct Together {
    /// The communicator's number in Fortran.
    pub(crate) communicator: i32,
    /// The operands that every process passes the whole of.
    replicated: Vec<usize>,
    /// Whether this process has called the kernel, and so has taken part in what all agree on.
    pub(crate) has_called: Cell<bool>,
}

impl Together {
    /// The processes of a communicator.
    ///
    /// # Errors
    /// No MPI, or one that cannot be loaded.
    pub(crate) fn new(py: Python<'_>, communicator: i32, replicated: Vec<usize>) -> PyResult<Self> {
        let used = py.detach(embedded::use_processes);
        used.map_err(|failure| errors::of_compilation(py, &failure))?;
        Ok(Self { communicator, replicated, has_called: Cell::new(false) })
    }

    /// Whether this process passes its rows of an operand.
    pub(crate) fn has_rows(&self, place: usize) -> bool {
        !self.replicated.contains(&place)
    }

    /// Has the others fail, too, where this process fails before it has called the kernel.
    pub(crate) fn refuse(&self, py: Python<'_>, error: &PyErr) {
        if self.has_called.get() {
            return;
        }
        let failure = Failure { status: Status::Argument, message: error.value(py).to_string() };
        py.detach(|| refuse_call(self.communicator, failure));
    }
}

/// What is passed of a tensor: rows, or the whole.
pub(crate) fn passed(tensor: BorderTensor, has_rows: bool) -> Box<BorderRows> {
    let has_modes = tensor.rank() > 0;
    Box::new(match has_rows && has_modes {
        true => BorderRows::new(tensor),
        false => BorderRows { tensor, first: 0, extent: 0 },
    })
}
