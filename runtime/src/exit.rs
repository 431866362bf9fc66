//! The end of a program that cannot go on: a message on standard error, after everything that was printed
//! before. A kernel that cannot go on ends its call instead.

use crate::distributed;
use crate::error::{Error, Status, shown};
use crate::output;
use parking_lot::Mutex;
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

thread_local! {
    static IS_CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Held by the thread that ends the process.
static ENDING: Mutex<()> = Mutex::new(());

/// Whether a failure ends the call of a kernel, and not the process.
pub(crate) fn is_catching() -> bool {
    IS_CATCHING.get()
}

/// Why a kernel's call has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of failure, for the caller.
    pub status: Status,
    /// The place in the `.ta` source, where there is one, and what is wrong.
    pub message: String,
}

impl Failure {
    /// An error at a place.
    pub fn new(place: &str, error: &Error) -> Self {
        let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
        Self { status: error.status(), message: shown(&format!("{place}{error}")) }
    }
}

/// Prints an error with the place in the `.ta` source and ends the process; inside of [`catching`], ends
/// its body.
pub fn fail(place: &str, error: &Error) -> ! {
    end_with(Failure::new(place, error))
}

/// Fails with the failure of another thread.
pub(crate) fn end_with(failure: Failure) -> ! {
    if IS_CATCHING.get() {
        // Not a panic: only the one who catches it learns of it.
        resume_unwind(Box::new(failure));
    }
    // Of several threads that fail, one reports why.
    let _ending = ENDING.lock();
    output::flush_before_end();
    output::report(format_args!("error: {}", failure.message));
    let code = if failure.status == Status::Internal { 2 } else { 1 };
    distributed::end(code);
    std::process::exit(code);
}

/// Runs a body, generated code among it, whose failure ends nothing else.
///
/// # Errors
/// What [`fail`] was called with.
pub fn catching<R>(body: impl FnOnce() -> R) -> Result<R, Failure> {
    let before = IS_CATCHING.replace(true);
    // What the body leaves half done is the call's, which is over.
    let result = catch_unwind(AssertUnwindSafe(body));
    IS_CATCHING.set(before);
    result.map_err(|panic| match panic.downcast::<Failure>() {
        Ok(failure) => *failure,
        Err(panic) => Failure::new("", &panicked(&*panic)),
    })
}

/// A mistake of the run time.
pub(crate) fn panicked(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    Error::Internal(format!("the run time failed: {text}"))
}
