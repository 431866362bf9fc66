//! The table of `mpi/comet_mpi.c`.

use std::ffi::{c_int, c_void};

/// The source of the functions, which the user's MPI compiles.
pub const SOURCE: &str = include_str!("../../mpi/comet_mpi.c");
/// The name of the table among the symbols of what was compiled.
pub const TABLE: &str = "comet_mpi";

/// The version of the table.
const VERSION: i32 = 2;

/// The functions, which return 0 where they do what they are for.
#[repr(C)]
pub struct Functions {
    version: i32,
    pub(super) start: extern "C" fn(&mut i32, &mut i32, &mut i32) -> c_int,
    pub(super) stop: extern "C" fn(),
    pub(super) end: extern "C" fn(i32),
    pub(super) barrier: extern "C" fn() -> c_int,
    pub(super) seconds: extern "C" fn() -> f64,
    broadcast: unsafe extern "C" fn(*mut c_void, i64, i32) -> c_int,
    gather_all: unsafe extern "C" fn(*const c_void, i64, *mut c_void) -> c_int,
    exchange: unsafe extern "C" fn(*const *const c_void, *const i64, *const *mut c_void, *const i64) -> c_int,
    pub(super) announce_failure: extern "C" fn(i32),
    pub(super) poll_failure: extern "C" fn(&mut i32) -> i32,
}

impl Functions {
    pub(super) fn is_known(&self) -> bool {
        self.version == VERSION
    }

    /// Replaces bytes by those of another process; returns the code of MPI.
    pub(super) fn replace_bytes(&self, bytes: &mut [u8], from: usize) -> c_int {
        // SAFETY: there are so many bytes.
        unsafe { (self.broadcast)(bytes.as_mut_ptr().cast(), bytes.len() as i64, from as i32) }
    }

    /// Collects as many bytes of each process, by rank; returns the code of MPI.
    pub(super) fn collect_bytes(&self, bytes: &[u8], all: &mut [u8], count: usize) -> c_int {
        assert_eq!(all.len(), bytes.len() * count, "every process has room");
        // SAFETY: there are so many bytes, and as much room for each process.
        unsafe { (self.gather_all)(bytes.as_ptr().cast(), bytes.len() as i64, all.as_mut_ptr().cast()) }
    }

    /// Sends bytes to each process and receives what it sends; returns the code of MPI.
    pub(super) fn exchange_bytes(&self, out: &[&[u8]], into: &mut [&mut [u8]]) -> c_int {
        let sent: Vec<*const c_void> = out.iter().map(|bytes| bytes.as_ptr().cast()).collect();
        let sent_bytes: Vec<i64> = out.iter().map(|bytes| bytes.len() as i64).collect();
        let received: Vec<*mut c_void> = into.iter_mut().map(|bytes| bytes.as_mut_ptr().cast()).collect();
        let received_bytes: Vec<i64> = into.iter().map(|bytes| bytes.len() as i64).collect();
        // SAFETY: there is one of each for every process, with so many bytes.
        unsafe {
            (self.exchange)(sent.as_ptr(), sent_bytes.as_ptr(), received.as_ptr(), received_bytes.as_ptr())
        }
    }
}
