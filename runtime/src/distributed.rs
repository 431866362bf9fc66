//! One program on many processes, which communicate by MPI: each runs the whole program, on its own part of
//! the data.
//!
//! Generated code passes statements to `begin` and `finish`, which decide what of them each process
//! computes, and have it receive what it needs. Between statements, `whole` provides whole tensors.
//!
//! [`start`] is called once, with functions that the user's MPI has compiled ([`SOURCE`]); without it there
//! is one process, and all functions here behave so. MPI's own functions are called by the main thread alone.
//! Kernels of a library are called on a communicator of their caller instead, each call on its own
//! (`together`).
//!
//! The first process prints and writes files. One that fails announces it to the others; the one that is to
//! report why does, and ends all ([`reports`], [`end`]).

mod choice;
mod division;
mod encoded;
mod entries;
mod exchange;
mod failures;
mod fold;
mod functions;
mod ghosts;
mod graph;
mod moves;
mod needed;
mod numbering;
mod partition;
mod parts;
mod permuted;
mod pieces;
mod placement;
mod reading;
mod report;
mod rows;
mod share;
mod statement;
mod together;
mod whole;

use crate::error::Error;
use crate::output;
use comet_abi::distribution::SHORTEST;
pub(crate) use division::{Division, begin, finish};
pub use failures::{end, reports};
use functions::{CommunicatorFunctions, FailureHandling, OTHER_FAILS};
pub use functions::{Functions, SOURCE, TABLE};
pub(crate) use graph::in_parts;
pub(crate) use partition::Partition;
pub(crate) use permuted::permute;
pub(crate) use pieces::Pieces;
pub(crate) use placement::{Placement, TensorRows};
pub(crate) use reading::{check_same_file, file_extents, read_rows};
pub(crate) use report::DivisionReport;
pub(crate) use share::Share;
pub(crate) use statement::DivisibleStatement;
use std::env;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
pub(crate) use together::{called, together};
pub use together::{has_functions, use_functions};
pub(crate) use whole::{
    begin_part, declare, end_part, extent, fill, give_coordinates_back, is_in_part, largest, place, provide,
    set_place, with_whole,
};

/// The processes of the program, or of the call of a kernel.
pub struct Processes {
    functions: CommunicatorFunctions,
    /// The number of this one, from 0.
    pub rank: usize,
    /// How many there are.
    pub count: usize,
    /// How many run on this machine.
    pub here: usize,
    /// The bytes that this one has sent to others.
    sent: AtomicU64,
}

static PROCESSES: OnceLock<Processes> = OnceLock::new();

impl Processes {
    fn new(functions: CommunicatorFunctions) -> Self {
        let [rank, count, here] = functions.communicator.numbers();
        Self { functions, rank, count, here: here.max(1), sent: AtomicU64::new(0) }
    }
}

/// Returns the processes of the call that this thread is in, or of the program, where there may be several.
pub fn processes() -> Option<&'static Processes> {
    together::called().or_else(|| PROCESSES.get())
}

/// Returns how many processes run on this machine, where there may be several.
pub(crate) fn processes_here() -> Option<usize> {
    PROCESSES.get().map(|processes| processes.here).or_else(together::here)
}

/// Whether this is the process that prints.
pub fn is_first() -> bool {
    processes().is_none_or(|processes| processes.rank == 0)
}

/// Starts MPI, before the program begins.
///
/// # Errors
/// Functions of another version, and an MPI that does not start.
pub fn start(functions: &'static Functions) -> Result<(), Error> {
    if !functions.is_known() {
        let message = "the functions of MPI were compiled for another version of comet";
        return Err(Error::Option(message.to_owned()));
    }
    let all = functions.start().map_err(|_| Error::Option("MPI cannot be started".to_owned()))?;
    let functions = CommunicatorFunctions::new(functions, all, FailureHandling::Ends);
    PROCESSES.get_or_init(|| Processes::new(functions));
    end_part();
    Ok(())
}

/// The environment variable with the fewest coordinates that a mode has where it is divided.
pub const DIVIDED_FROM: &str = "COMET_DIVIDE_FROM";

/// Returns the fewest coordinates that a mode has where it is divided, of files and of what is permuted.
/// Statements have their own, which was compiled in.
pub fn divided_from() -> usize {
    static FROM: OnceLock<usize> = OnceLock::new();
    *FROM.get_or_init(|| {
        let number = from_environment().or_else(|| SHORTEST.parse().ok());
        number.expect("one of them is a number")
    })
}

fn from_environment() -> Option<usize> {
    env::var(DIVIDED_FROM).ok()?.parse().ok().filter(|number| *number > 0)
}

/// Checks `COMET_DIVIDE_FROM`.
///
/// # Errors
/// A text that is no whole number from 1.
pub fn check_environment() -> Result<(), Error> {
    match env::var_os(DIVIDED_FROM).filter(|text| !text.is_empty()) {
        Some(text) if from_environment().is_none() => {
            let text = text.to_string_lossy();
            Err(Error::Option(format!("`{DIVIDED_FROM}` takes a number of at least 1, not `{text}`")))
        }
        _ => Ok(()),
    }
}

/// The variables with which launchers of MPI say how many processes they have started, and which one this is.
const LAUNCHED: [[&str; 2]; 3] = [
    ["OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"],
    ["PMI_SIZE", "PMI_RANK"],
    ["SLURM_STEP_NUM_TASKS", "SLURM_PROCID"],
];

/// Notes that a launcher of MPI has started several processes of a program for one; `hint` is what to do.
pub fn note_copies(hint: &str) {
    let number = |name: &str| env::var(name).ok()?.parse::<usize>().ok();
    let launched = LAUNCHED.iter().find_map(|[count, rank]| Some((number(count)?, number(rank)?)));
    if let Some((count @ 2.., 0)) = launched.filter(|_| processes().is_none()) {
        output::tell(format_args!("note: {count} processes run the same program, each by itself: {hint}"));
    }
}

/// Stops MPI, after the program has ended.
pub fn stop() {
    if let Some(processes) = processes() {
        processes.functions.stop();
    }
}

/// Waits for all processes.
pub fn barrier() -> Result<(), Error> {
    processes().map_or(Ok(()), |processes| checked(processes.functions.barrier()))
}

/// Returns the time of the first process, in seconds since some moment, so that branches on it agree; `None`
/// where there is one process.
pub fn seconds() -> Result<Option<f64>, Error> {
    let Some(processes) = processes() else { return Ok(None) };
    let mut bytes = processes.functions.seconds().to_ne_bytes();
    checked(processes.functions.replace_bytes(&mut bytes, 0))?;
    Ok(Some(f64::from_ne_bytes(bytes)))
}

fn checked(code: i32) -> Result<(), Error> {
    match code {
        0 => Ok(()),
        OTHER_FAILS => Err(Error::Option("another process has failed".to_owned())),
        code => Err(Error::Option(format!("MPI fails with the code {code}"))),
    }
}
