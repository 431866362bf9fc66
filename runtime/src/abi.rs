//! The C ABI. The runtime's README describes each function; generated code keeps its promises: handles come
//! from `comet_rt_tensor_new` and `comet_rt_convert`, texts end in zero, arrays are as long as stated.
//!
//! Nothing unwinds out of these functions. An error ends the process with exit code 1, a panic, which is a
//! mistake of the run time, with 2.

pub mod arrays;
pub mod content;
pub mod handle;
pub mod printing;
pub mod program;
pub mod results;
pub mod sizes;
pub mod tensors;

use crate::error::Error;
use crate::exit::fail;
use handle::Text;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a body whose failure ends the process with the place it belongs to.
fn guarded<R>(at: Text, body: impl FnOnce() -> Result<R, Error>) -> R {
    let place = at.get();
    // After a panic the process ends, so that nobody sees what the body left half done.
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(result)) => result,
        Ok(Err(error)) => fail(place, &error),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            fail(place, &Error::Internal(format!("the run time failed: {text}")))
        }
    }
}

/// Runs a body that belongs to no place.
fn unplaced<R>(body: impl FnOnce() -> Result<R, Error>) -> R {
    guarded(Text::none(), body)
}
