//! The C ABI: the functions that [`comet_abi::functions`] declares and documents. Generated code keeps its
//! promises: handles come from `comet_rt_tensor_new` and `comet_rt_convert`, texts end in zero, arrays are as
//! long as stated.
//!
//! An error ends the process with exit code 1, a panic, which is a mistake of the run time, with 2. Inside of
//! a kernel that another program has called, both unwind through the generated code, which holds nothing that
//! would have to be dropped, up to the entry of the kernel, which returns them.

/// Defines functions of the C ABI by bodies that may fail: a failure has the place `at`, where one is passed.
/// A family, whose functions differ in a type `V`, has one body.
macro_rules! exported {
    ($(fn $function:ident($($argument:ident: $ty:ty),* $(,)?) $(-> $result:ty)? $body:block)+) => {$(
        #[unsafe(no_mangle)]
        pub(crate) extern "C-unwind" fn $function($($argument: $ty),*) $(-> $result)? {
            $crate::abi::guarded(place!($($argument = $argument)*), || $body)
        }
    )+};
    ([$($function:ident $v:ty),+ $(,)?] fn $arguments:tt -> $result:ty $body:block) => {$(
        mod $function {
            use super::*;
            type V = $v;
            exported! { fn $function $arguments -> $result $body }
        }
        pub(crate) use $function::$function;
    )+};
}

/// Finds the argument `at`.
macro_rules! place {
    (at = $at:ident $($rest:tt)*) => {
        $at
    };
    ($other:ident = $same:ident $($rest:tt)*) => {
        place!($($rest)*)
    };
    () => {
        $crate::abi::handle::Text::none()
    };
}

pub(crate) mod arrays;
pub(crate) mod asynchronous;
pub(crate) mod border;
mod call;
pub(crate) mod content;
pub(crate) mod declared;
pub(crate) mod dense;
pub(crate) mod division;
pub(crate) mod forks;
pub(crate) mod functions;
pub(crate) mod given;
mod handle;
pub(crate) mod kernel;
pub(crate) mod launch;
mod lent;
pub(crate) mod orders;
mod parsed;
mod part;
pub(crate) mod points_state;
pub(crate) mod printing;
pub(crate) mod program;
pub(crate) mod results;
pub(crate) mod rows;
pub(crate) mod sizes;
pub(crate) mod tensors;
pub(crate) mod variants;
pub(crate) mod window;

use crate::distributed;
use crate::error::Error;
use crate::exit::{Failure, fail, panicked};
use handle::Text;
pub(crate) use part::PartTensor;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Runs a body whose failure ends the process with the place it belongs to.
fn guarded<R>(at: Text, body: impl FnOnce() -> Result<R, Error>) -> R {
    distributed::set_place(|| at.get());
    // After a panic the process or the call ends, so that nobody sees what the body left half done.
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(result)) => result,
        Ok(Err(error)) => fail(at.get(), &error),
        // It fails at a place of its own.
        Err(panic) if panic.is::<Failure>() => resume_unwind(panic),
        Err(panic) => fail(at.get(), &panicked(&*panic)),
    }
}
