//! Kernels that the processes of a communicator call together, of a program that has started MPI itself.
//!
//! A kernel that fails ends its call and not the program, so that no process may wait for one that has left.
//! Before processes communicate, they agree that none has failed: one that has takes part in that once more,
//! when it leaves, and all leave with its error. Who has not failed takes part at the end of the call, too.

use super::Processes;
use super::functions::{CommunicatorFunctions, FailureHandling, Functions, OTHER_FAILS};
use super::whole::{begin_part, end_part, is_in_part};
use crate::error::{Error, Status};
use crate::exit::{Failure, catching};
use parking_lot::Mutex;
use std::cell::Cell;
use std::ffi::c_int;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

thread_local! {
    /// The processes of the call that this thread is in.
    static CALLED: Cell<Option<&'static Processes>> = const { Cell::new(None) };
    /// The one of them that has failed, as far as this one knows.
    static FAILING: Cell<Option<usize>> = const { Cell::new(None) };
}

static FUNCTIONS: OnceLock<&'static Functions> = OnceLock::new();
/// The processes of each communicator that kernels were called on.
static KNOWN: Mutex<Vec<&'static Processes>> = Mutex::new(Vec::new());
/// How many of them run on this machine; 0 before the first call.
static HERE: AtomicUsize = AtomicUsize::new(0);

/// What [`Functions::join`] returns where the program has not started MPI, or has ended it, and for what is
/// no communicator of one group of processes.
const NOT_STARTED: c_int = -1;
const NO_COMMUNICATOR: c_int = -2;

/// The bytes of a message that goes to all processes.
const MESSAGE_BYTES: usize = 1024;

/// Has kernels that are called on a communicator use these functions of MPI. The first ones are used.
pub fn use_functions(functions: &'static Functions) {
    FUNCTIONS.get_or_init(|| functions);
}

/// Whether there are functions that [`use_functions`] was called with.
pub fn has_functions() -> bool {
    FUNCTIONS.get().is_some()
}

/// Returns the processes of the call that this thread is in.
pub(crate) fn called() -> Option<&'static Processes> {
    CALLED.get()
}

/// Returns how many processes of calls run on this machine, where there are any.
pub(super) fn here() -> Option<usize> {
    Some(HERE.load(Ordering::Relaxed)).filter(|here| *here > 0)
}

/// Runs the call of a kernel on the processes of a communicator, or on this one alone. If it fails on one of
/// them, it fails on all, with the error of the one with the lowest rank.
///
/// # Errors
/// What the body fails with, and a communicator that is none.
pub(crate) fn together<R>(
    communicator: Option<i32>,
    body: impl FnOnce() -> Result<R, Error>,
) -> Result<R, Error> {
    let joined = communicator.map(joined).transpose()?;
    let outer = (CALLED.replace(joined), FAILING.take(), is_in_part());
    end_part();
    let result = match joined {
        None => body(),
        Some(processes) => {
            let result = catching(body).and_then(|result| result.map_err(|error| Failure::new("", &error)));
            agreed(processes, result).map_err(Error::Failed)
        }
    };
    CALLED.set(outer.0);
    FAILING.set(outer.1);
    if outer.2 {
        begin_part()
    } else {
        end_part()
    }
    result
}

fn joined(communicator: i32) -> Result<&'static Processes, Error> {
    let refused = |message: &str| Error::Option(message.to_owned());
    let Some(functions) = FUNCTIONS.get() else {
        let message = "the call has a communicator, and the library is for one process: build it with \
                       `--distributed`";
        return Err(refused(message));
    };
    if !functions.is_known() {
        return Err(refused("the functions of MPI were compiled for another version of comet"));
    }
    let all = functions.join(communicator).map_err(|code| match code {
        NOT_STARTED => refused(
            "MPI is not started in this process: start it before the call, by the MPI that `mpicc` belongs to",
        ),
        NO_COMMUNICATOR => refused("the communicator of the call is none of one group of processes"),
        code => Error::Option(format!("MPI fails with the code {code}")),
    })?;
    let mut known = KNOWN.lock();
    let processes = match known.iter().find(|other| other.functions.communicator == all) {
        Some(found) => found,
        None => {
            let functions = CommunicatorFunctions::new(functions, all, FailureHandling::Agreed);
            let processes: &'static Processes = Box::leak(Box::new(Processes::new(functions)));
            known.push(processes);
            processes
        }
    };
    HERE.fetch_max(processes.here, Ordering::Relaxed);
    Ok(processes)
}

/// Returns the code for functions that communicate where another process has failed.
pub(super) fn other_failure(functions: &CommunicatorFunctions) -> Option<c_int> {
    if FAILING.get().is_some() {
        return Some(OTHER_FAILS);
    }
    match functions.lowest(i32::MAX) {
        Ok(i32::MAX) => None,
        Ok(rank) => {
            FAILING.set(Some(rank as usize));
            Some(OTHER_FAILS)
        }
        Err(code) => Some(code),
    }
}

/// Returns what all processes return: the failure of the lowest rank where there is one.
fn agreed<R>(processes: &Processes, result: Result<R, Failure>) -> Result<R, Failure> {
    let failing = match FAILING.get() {
        Some(rank) => rank,
        None => {
            let own = if result.is_err() { processes.rank as i32 } else { i32::MAX };
            match processes.functions.lowest(own) {
                Ok(i32::MAX) => return result,
                Ok(rank) => rank as usize,
                Err(code) => return Err(of_code(code)),
            }
        }
    };
    let own = result.err().filter(|_| failing == processes.rank);
    let mut message = own.as_ref().map_or_else(Vec::new, encoded);
    message.resize(MESSAGE_BYTES, 0);
    match processes.functions.broadcast(&mut message, failing) {
        0 => Err(own.unwrap_or_else(|| decoded(&message))),
        code => Err(of_code(code)),
    }
}

fn of_code(code: c_int) -> Failure {
    Failure::new("", &Error::Option(format!("MPI fails with the code {code}")))
}

/// The status, and the text as far as it fits.
fn encoded(failure: &Failure) -> Vec<u8> {
    let text = &failure.message;
    let most = text.len().min(MESSAGE_BYTES - 1);
    let len = (0..=most).rev().find(|len| text.is_char_boundary(*len)).unwrap_or(0);
    let mut bytes = vec![failure.status as u8];
    bytes.extend_from_slice(&text.as_bytes()[..len]);
    bytes
}

fn decoded(message: &[u8]) -> Failure {
    let text = message[1..].split(|byte| *byte == 0).next().unwrap_or_default();
    let status = Status::ALL.into_iter().find(|status| *status as u8 == message[0]);
    let message = String::from_utf8_lossy(text).into_owned();
    Failure { status: status.unwrap_or(Status::Internal), message }
}
