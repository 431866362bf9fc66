//! The functions of MPI, compiled by its own compiler and kept in the compile cache.

use crate::cache::{Folder, Key};
use crate::failure::{Failure, Result};
use crate::scratch::Scratch;
use comet_backend_cpu::native::{link_process_functions, mpi_compiler};
use comet_runtime::distributed::{self, Functions, SOURCE, TABLE};
use comet_runtime::error::reason;
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use rustix::fs::{MemfdFlags, memfd_create};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::fd::AsRawFd as _;
use std::process::Command;

/// Starts MPI in this process.
///
/// # Errors
/// The user's where there is no MPI.
pub(crate) fn start() -> Result<()> {
    let library = library()?;
    let cannot = |error: &dyn std::fmt::Display| {
        Failure::plain(format!("the functions of MPI cannot be loaded: {error}"))
    };
    let file = in_memory(&library).map_err(|error| cannot(&reason(&error)))?;
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    // SAFETY: nothing runs when the library is loaded but what MPI's own libraries do. Its modules find the
    // functions of the library by their names.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_GLOBAL) };
    let library = library.map_err(|error| cannot(&error))?;
    // SAFETY: the table has that type in the source that the library was compiled from.
    let table = unsafe { library.get::<*const Functions>(TABLE.as_bytes()) };
    let table: *const Functions = table.map_err(|error| cannot(&error))?.into_raw().cast();
    // The functions stay.
    std::mem::forget(library);
    // SAFETY: the library is never closed.
    distributed::start(unsafe { &*table })?;
    Ok(())
}

/// The compiled functions, from the cache where they are there.
fn library() -> Result<Vec<u8>> {
    let folder = Folder::of_environment()?.filter(|folder| folder.check().is_ok());
    let key = Key::of_text(&format!("{SOURCE}\n{}", flags()));
    if let Some(Ok(Some(library))) = folder.as_ref().map(|folder| folder.find(&key)) {
        return Ok(library);
    }
    let scratch = Scratch::new()
        .map_err(|error| Failure::file("create a folder in", &std::env::temp_dir(), reason(&error)))?;
    let path = link_process_functions(scratch.path())?;
    let library = fs::read(&path).map_err(|error| Failure::file("read", &path, reason(&error)))?;
    if let Some(folder) = folder {
        // A cache that cannot be used is no error.
        let _ = folder.store(&key, &library);
    }
    Ok(library)
}

/// What MPI's compiler adds to the command line of the system's, which is different for each MPI.
fn flags() -> String {
    let Ok((program, arguments)) = mpi_compiler() else { return String::new() };
    let shown = Command::new(program).args(arguments).arg("-show").output();
    shown.map_or_else(|_| String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn in_memory(library: &[u8]) -> io::Result<File> {
    let mut file = File::from(memfd_create("comet_mpi.so", MemfdFlags::CLOEXEC)?);
    file.write_all(library)?;
    Ok(file)
}
