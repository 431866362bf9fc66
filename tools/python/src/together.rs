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

    /// What is passed of an operand in a place, or of the result: rows, if it has modes and is not
    /// replicated.
    pub(crate) fn passed(&self, tensor: BorderTensor, place: Option<usize>) -> Box<BorderRows> {
        let is_replicated = place.is_some_and(|place| self.replicated.contains(&place));
        match tensor.rank() == 0 || is_replicated {
            true => whole(tensor),
            false => Box::new(BorderRows::new(tensor)),
        }
    }

    /// Has the others fail, too, where this process fails before it has called the kernel.
    pub(crate) fn refuse(&self, py: Python<'_>, error: &PyErr) {
        if self.has_called.get() {
            return;
        }
        let failure = Failure { status: Status::Argument, message: error.value(py).to_string() };
        let communicator = self.communicator;
        py.detach(move || refuse_call(communicator, failure));
    }
}

/// What is passed of a whole tensor.
pub(crate) fn whole(tensor: BorderTensor) -> Box<BorderRows> {
    Box::new(BorderRows { tensor, first: 0, extent: 0 })
}
