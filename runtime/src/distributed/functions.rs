//! The table of `mpi/comet_mpi.c`, and its functions on one communicator.

use super::together;
use crate::output;
use std::ffi::{c_int, c_void};

/// The source of the functions, which the user's MPI compiles.
pub const SOURCE: &str = include_str!("../../mpi/comet_mpi.c");
/// The name of the table among the symbols of what was compiled.
pub const TABLE: &str = "comet_mpi";

/// The version of the table.
const VERSION: i32 = 3;

/// What functions return where another process has failed: no code of MPI.
pub(super) const OTHER_FAILS: c_int = -3;

/// The processes of a communicator: its number in Fortran, the rank of this one, how many there are, and how
/// many of them run on this machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Communicator {
    handle: i32,
    rank: i32,
    size: i32,
    here: i32,
}

/// The functions, which return 0 where they do what they are for.
#[repr(C)]
pub struct Functions {
    version: i32,
    start: extern "C" fn(&mut Communicator) -> c_int,
    join: extern "C" fn(i32, &mut Communicator) -> c_int,
    stop: extern "C" fn(i32),
    end: extern "C" fn(i32),
    seconds: extern "C" fn() -> f64,
    barrier: extern "C" fn(i32) -> c_int,
    lowest: extern "C" fn(i32, i32, &mut i32) -> c_int,
    broadcast: unsafe extern "C" fn(i32, *mut c_void, i64, i32) -> c_int,
    gather_all: unsafe extern "C" fn(i32, *const c_void, i64, *mut c_void) -> c_int,
    exchange:
        unsafe extern "C" fn(i32, *const *const c_void, *const i64, *const *mut c_void, *const i64) -> c_int,
    announce_failure: extern "C" fn(i32, i32),
    poll_failure: extern "C" fn(i32, &mut i32) -> i32,
}

impl Functions {
    pub(super) fn is_known(&self) -> bool {
        self.version == VERSION
    }

    /// Starts MPI for a program; returns all processes, or the code of MPI.
    pub(super) fn start(&self) -> Result<Communicator, c_int> {
        let mut all = Communicator::default();
        match (self.start)(&mut all) {
            0 => Ok(all),
            code => Err(code),
        }
    }

    /// Returns the processes of a communicator of the program that calls a kernel, or the code of MPI.
    pub(super) fn join(&self, given: i32) -> Result<Communicator, c_int> {
        let mut all = Communicator::default();
        match (self.join)(given, &mut all) {
            0 => Ok(all),
            code => Err(code),
        }
    }
}

/// What happens where a process fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailureHandling {
    /// It ends all.
    Ends,
    /// All learn of it before they communicate next.
    Agreed,
}

/// The functions on a communicator.
pub(super) struct CommunicatorFunctions {
    table: &'static Functions,
    pub(super) communicator: Communicator,
    failures: FailureHandling,
}

impl Communicator {
    /// The rank of this process, how many there are, and how many run on this machine.
    pub(super) fn numbers(&self) -> [usize; 3] {
        [self.rank, self.size, self.here].map(|number| usize::try_from(number).unwrap_or_default())
    }
}

impl CommunicatorFunctions {
    pub(super) fn new(
        table: &'static Functions,
        communicator: Communicator,
        failures: FailureHandling,
    ) -> Self {
        Self { table, communicator, failures }
    }

    /// Returns the code that a function is left with before it communicates, where a process has failed.
    fn failed(&self) -> Option<c_int> {
        // Another process that fails ends this one while it waits: nothing that it has printed is lost.
        output::flush();
        match self.failures {
            FailureHandling::Ends => None,
            FailureHandling::Agreed => together::other_failure(self),
        }
    }

    pub(super) fn stop(&self) {
        (self.table.stop)(self.communicator.handle);
    }

    /// Ends all processes.
    pub(super) fn end(&self, code: i32) {
        (self.table.end)(code);
    }

    pub(super) fn seconds(&self) -> f64 {
        (self.table.seconds)()
    }

    /// Waits for all processes; returns the code of MPI.
    pub(super) fn barrier(&self) -> c_int {
        self.failed().unwrap_or_else(|| (self.table.barrier)(self.communicator.handle))
    }

    /// Returns the lowest of the numbers of all processes, or the code of MPI.
    pub(super) fn lowest(&self, number: i32) -> Result<i32, c_int> {
        let mut of_all = number;
        match (self.table.lowest)(self.communicator.handle, number, &mut of_all) {
            0 => Ok(of_all),
            code => Err(code),
        }
    }

    /// Replaces bytes by those of another process; returns the code of MPI.
    pub(super) fn replace_bytes(&self, bytes: &mut [u8], from: usize) -> c_int {
        self.failed().unwrap_or_else(|| self.broadcast(bytes, from))
    }

    /// The same, whether a process has failed or not.
    pub(super) fn broadcast(&self, bytes: &mut [u8], from: usize) -> c_int {
        let handle = self.communicator.handle;
        // SAFETY: there are so many bytes.
        unsafe { (self.table.broadcast)(handle, bytes.as_mut_ptr().cast(), bytes.len() as i64, from as i32) }
    }

    /// Collects as many bytes of each process, by rank; returns the code of MPI.
    pub(super) fn collect_bytes(&self, bytes: &[u8], all: &mut [u8], count: usize) -> c_int {
        assert_eq!(all.len(), bytes.len() * count, "every process has room");
        if let Some(code) = self.failed() {
            return code;
        }
        let (handle, len) = (self.communicator.handle, bytes.len() as i64);
        // SAFETY: there are so many bytes, and as much room for each process.
        unsafe { (self.table.gather_all)(handle, bytes.as_ptr().cast(), len, all.as_mut_ptr().cast()) }
    }

    /// Sends bytes to each process and receives what it sends; returns the code of MPI.
    pub(super) fn exchange_bytes(&self, out: &[&[u8]], into: &mut [&mut [u8]]) -> c_int {
        if let Some(code) = self.failed() {
            return code;
        }
        let sent: Vec<*const c_void> = out.iter().map(|bytes| bytes.as_ptr().cast()).collect();
        let sent_bytes: Vec<i64> = out.iter().map(|bytes| bytes.len() as i64).collect();
        let received: Vec<*mut c_void> = into.iter_mut().map(|bytes| bytes.as_mut_ptr().cast()).collect();
        let received_bytes: Vec<i64> = into.iter().map(|bytes| bytes.len() as i64).collect();
        let lengths = [sent_bytes.as_ptr(), received_bytes.as_ptr()];
        let handle = self.communicator.handle;
        // SAFETY: there is one of each for every process, with so many bytes.
        unsafe { (self.table.exchange)(handle, sent.as_ptr(), lengths[0], received.as_ptr(), lengths[1]) }
    }

    /// Announces something of a failure to all other processes.
    pub(super) fn announce_failure(&self, what: i32) {
        (self.table.announce_failure)(self.communicator.handle, what);
    }

    /// Takes what another process has announced: returns its rank, or −1 where there is nothing.
    pub(super) fn poll_failure(&self, what: &mut i32) -> i32 {
        (self.table.poll_failure)(self.communicator.handle, what)
    }
}
