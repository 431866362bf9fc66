//! What programs on several processes need of the system: the functions of MPI in this process, and processes
//! that end with the one that has started them.

use super::NativeError;
use comet_runtime::distributed::{Functions, TABLE};
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::{Signal, set_parent_process_death_signal};
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// Loads the functions of MPI from a library that [`super::link_process_functions`] has made, for the time of
/// this process.
///
/// # Errors
/// The user's where the libraries of MPI are not there any more.
pub fn load_process_functions(library: &[u8]) -> Result<&'static Functions, NativeError> {
    let cannot =
        |error: &dyn Display| NativeError::user(format!("the functions of MPI cannot be loaded: {error}"));
    let file = in_memory(library).map_err(|error| cannot(&error))?;
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    // SAFETY: nothing runs when the library is loaded but what MPI's own libraries do. MPI's modules find its
    // functions by their names.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_GLOBAL) };
    let library = library.map_err(|error| cannot(&error))?;
    // SAFETY: the table has that type in the source that the library was compiled from.
    let table = unsafe { library.get::<*const Functions>(TABLE.as_bytes()) };
    let table: *const Functions = table.map_err(|error| cannot(&error))?.into_raw().cast();
    std::mem::forget(library);
    // SAFETY: the library is never closed.
    Ok(unsafe { &*table })
}

fn in_memory(library: &[u8]) -> io::Result<File> {
    let mut file = File::from(memfd_create("comet_mpi.so", MemfdFlags::CLOEXEC)?);
    file.write_all(library)?;
    Ok(file)
}

/// Has a command end when this process does.
pub fn end_with_parent(command: &mut Command) -> &mut Command {
    // SAFETY: between fork and exec the closure makes one system call.
    unsafe { command.pre_exec(|| Ok(set_parent_process_death_signal(Some(Signal::TERM))?)) }
}
