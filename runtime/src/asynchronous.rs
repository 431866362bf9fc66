//! Tasks of generated code, in any order and at the same time (comet.txt section 6.3): the implementation of
//! MLIR's `mlirAsyncRuntime*` functions.
//!
//! `executor` runs tasks on as many threads as the program may have, the ones that wait for them among these;
//! `objects` are what they wait for.

mod affinity;
mod executor;
mod objects;

pub(crate) use affinity::Affinity;
pub(crate) use executor::started;
pub use executor::{Work, abandon, alone, finish, help_until, spawn, threads};
pub use objects::{Completion, Group};

/// Whether this process was forked from one with threads: rayon's, which cannot be started again, are gone.
pub(crate) fn is_forked() -> bool {
    crate::abi::forks::count() > 0
}
