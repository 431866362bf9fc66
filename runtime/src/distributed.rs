//! One program on many processes, which communicate by MPI: each runs the whole program, on its own part of
//! the data in time to come, on all of it so far.
//!
//! [`start`] is called once, with functions that the user's MPI has compiled ([`SOURCE`]); without it there
//! is one process, and all functions here behave so. MPI's own functions are called by the main thread alone.
//!
//! The first process prints and writes files. One that fails announces it to the others; the one that is to
//! report why does, and ends all ([`reports`], [`end`]).

mod choice;
mod division;
mod encoded;
mod exchange;
mod fold;
mod functions;
mod ghosts;
mod moves;
mod needed;
mod numbering;
mod partition;
mod parts;
mod placement;
mod reading;
mod report;
mod statement;

use crate::error::Error;
use crate::reorder::{self, Method, Parts, Permutation};
use crate::tensor::Tensor;
pub(crate) use division::{Division, begin, finish};
pub use functions::{Functions, SOURCE, TABLE};
pub(crate) use partition::Partition;
use parts::Along;
pub(crate) use placement::Placement;
pub(crate) use reading::read_rows;
pub(crate) use report::Report;
pub(crate) use statement::Statement;
use std::cell::Cell;
use std::env;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The processes of the program.
pub struct Processes {
    functions: &'static Functions,
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

/// Returns the processes of the program where there may be several.
pub fn processes() -> Option<&'static Processes> {
    PROCESSES.get()
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
    let (mut rank, mut count, mut here) = (0, 0, 0);
    if (functions.start)(&mut rank, &mut count, &mut here) != 0 {
        return Err(Error::Option("MPI cannot be started".to_owned()));
    }
    let number = |number: i32| usize::try_from(number).unwrap_or_default();
    PROCESSES.get_or_init(|| Processes {
        functions,
        rank: number(rank),
        count: number(count),
        here: number(here).max(1),
        sent: AtomicU64::new(0),
    });
    WANTS_WHOLE.set(true);
    Ok(())
}

/// The environment variable with the fewest coordinates that a mode has where it is divided.
pub const DIVIDED_FROM: &str = "COMET_DIVIDE_FROM";
/// What it is where nothing is said.
pub const USUALLY_DIVIDED_FROM: usize = 64;

/// Returns the fewest coordinates that a mode has where it is divided.
pub fn divided_from() -> usize {
    static FROM: OnceLock<usize> = OnceLock::new();
    *FROM.get_or_init(|| {
        let text = env::var(DIVIDED_FROM).unwrap_or_default();
        text.parse().unwrap_or(USUALLY_DIVIDED_FROM)
    })
}

thread_local! {
    /// Whether generated code that asks for a tensor wants the whole: the program does, between statements.
    static WANTS_WHOLE: Cell<bool> = const { Cell::new(false) };
}

/// Says whether this thread computes its part of a statement.
pub(crate) fn set_in_part(is_in_part: bool) {
    WANTS_WHOLE.set(!is_in_part && processes().is_some());
}

/// Whether this thread computes its part of a statement, or there is one process.
pub(crate) fn is_in_part() -> bool {
    !WANTS_WHOLE.get()
}

/// Has a tensor be whole where this thread wants it so.
pub(crate) fn provide(tensor: &mut Tensor) -> Result<(), Error> {
    match processes() {
        Some(processes) if WANTS_WHOLE.get() => parts::gather(tensor, processes),
        _ => Ok(()),
    }
}

/// Calls a body with the whole of a tensor.
pub(crate) fn with_whole(
    tensor: &Tensor,
    body: impl FnOnce(&Tensor) -> Result<(), Error>,
) -> Result<(), Error> {
    match processes() {
        Some(processes) if tensor.is_divided() => {
            body(&parts::taken(tensor, &vec![Along::All; tensor.dims.len()], processes)?)
        }
        _ => body(tensor),
    }
}

/// Has each process keep its range of a mode of a tensor that all have.
pub(crate) fn divide(tensor: &mut Tensor, mode: usize, partition: &Arc<Partition>) -> Result<(), Error> {
    if let Some(processes) = processes() {
        let mut wanted = vec![Along::All; tensor.dims.len()];
        wanted[mode] = Along::Divided(partition.clone());
        *tensor = parts::taken(tensor, &wanted, processes)?;
    }
    Ok(())
}

/// Finds new numbers for the rows and columns of a square matrix, with a range for each process, and how many
/// rows move in a product before and after. The first process finds them for all.
pub(crate) fn in_parts(
    tensor: &Tensor,
    method: Method,
) -> Result<Option<(Permutation, Partition, [usize; 2])>, Error> {
    let Some(processes) = processes().filter(|processes| processes.count > 1) else { return Ok(None) };
    let extent = tensor.whole_dims().first().copied().unwrap_or_default();
    if extent < divided_from().max(processes.count) as i64 {
        return Ok(None);
    }
    let mut found = Ok(None);
    with_whole(tensor, |tensor| {
        if processes.rank == 0 {
            found = reorder::in_parts(tensor, method, processes.count);
        }
        Ok(())
    })?;
    // What the first one has: whether it is an error, or nothing, and then the numbers.
    let mut state = [match &found {
        Ok(Some(_)) => 0u64,
        Ok(None) => 1,
        Err(_) => 2,
    }];
    processes.replace(&mut state)?;
    let mut parts = match (state[0], found) {
        (_, Err(error)) => return Err(error),
        (1, _) => return Ok(None),
        (2, _) => return Err(Error::Shape("the first process finds no parts".to_owned())),
        (_, Ok(Some(parts))) => parts,
        _ => Parts { order: vec![0; extent as usize], bounds: vec![0; processes.count + 1], moved: [0; 2] },
    };
    processes.replace(&mut parts.order)?;
    processes.replace(&mut parts.bounds)?;
    Ok(Some((parts.permutation()?, Partition::with_bounds(parts.bounds), parts.moved)))
}

/// Has the coordinates of a tensor be no local numbers, outside of statements.
pub(crate) fn give_coordinates_back(tensor: &mut Tensor) -> Result<(), Error> {
    if is_in_part() {
        return Ok(());
    }
    (0..tensor.dims.len()).try_for_each(|mode| parts::renumber(tensor, mode, None))
}

/// Returns the largest of numbers that processes have of their parts of a tensor.
pub(crate) fn largest(tensor: &Tensor, own: f64) -> Result<f64, Error> {
    match processes() {
        Some(processes) if tensor.is_divided() && !is_in_part() => {
            let all = processes.of_all(&own.to_ne_bytes())?;
            let numbers = all.as_chunks::<8>().0.iter().map(|bytes| f64::from_ne_bytes(*bytes));
            Ok(numbers.fold(own, f64::max))
        }
        _ => Ok(own),
    }
}

/// Returns an extent of the whole tensor to a program, and of this process's part to a statement.
pub(crate) fn extent(tensor: &Tensor, mode: usize) -> i64 {
    if WANTS_WHOLE.get() { tensor.whole_extent(mode) } else { tensor.dims[mode] }
}

/// Stops MPI, after the program has ended.
pub fn stop() {
    if let Some(processes) = processes() {
        (processes.functions.stop)();
    }
}

/// Waits for all processes.
pub fn barrier() -> Result<(), Error> {
    processes().map_or(Ok(()), |processes| checked((processes.functions.barrier)()))
}

/// Returns what the first process has.
pub fn of_first(value: f64) -> Result<f64, Error> {
    let Some(processes) = processes() else { return Ok(value) };
    let mut bytes = value.to_ne_bytes();
    checked(processes.functions.replace_bytes(&mut bytes, 0))?;
    Ok(f64::from_ne_bytes(bytes))
}

fn checked(code: i32) -> Result<(), Error> {
    if code == 0 { Ok(()) } else { Err(Error::Option(format!("MPI fails with the code {code}"))) }
}

/// What processes announce of failures: that they fail, and that they have reported why.
const FAILS: i32 = 0;
const HAS_REPORTED: i32 = 1;

/// How long a process that fails waits for others that fail, too, and come before it.
const PATIENCE: Duration = Duration::from_millis(250);
/// The time for the process that reports to end all others.
const GRACE: Duration = Duration::from_secs(3);

static REPORTS: AtomicBool = AtomicBool::new(false);

/// Whether this process, which fails, is the one to report why: of several that fail at about the same time,
/// the first.
pub fn reports() -> bool {
    let Some(processes) = processes() else { return true };
    if REPORTS.load(Ordering::Relaxed) {
        return true;
    }
    (processes.functions.announce_failure)(FAILS);
    let patience = if processes.rank == 0 { Duration::ZERO } else { PATIENCE };
    let end = Instant::now() + patience;
    loop {
        let mut what = FAILS;
        let from = (processes.functions.poll_failure)(&mut what);
        if from >= 0 && (what == HAS_REPORTED || (from as usize) < processes.rank) {
            return false;
        }
        if from < 0 && Instant::now() >= end {
            break;
        }
        if from < 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    REPORTS.store(true, Ordering::Relaxed);
    (processes.functions.announce_failure)(HAS_REPORTED);
    true
}

/// Ends all processes after a failure; returns where there is one alone.
pub fn end(code: i32) {
    let Some(processes) = processes() else { return };
    if !REPORTS.load(Ordering::Relaxed) {
        // Another one reports, and ends this one.
        std::thread::sleep(GRACE);
    }
    (processes.functions.end)(code);
}
