//! Programs on several processes: the job that `--ranks` starts, and the functions of MPI in each process.
//!
//! [`run_job`] has `mpirun` start this program with `--distributed` in the place of `--ranks`, and [`start`]
//! loads the functions of `comet_runtime::distributed`, which the compiler of the user's MPI makes once.

mod functions;
mod job;

pub(crate) use functions::{start, use_in_calls};
pub(crate) use job::run_job;
