//! The functions of MPI, compiled by its own compiler and kept in the compile cache.

use crate::cache::{Folder, Key};
use crate::failure::{Failure, Result};
use crate::scratch::Scratch;
use comet_backend_cpu::native::{link_process_functions, load_process_functions, mpi_compiler};
use comet_runtime::distributed::{self, SOURCE};
use comet_runtime::error::reason;
use std::fs;
use std::process::Command;

/// Starts MPI in this process.
///
/// # Errors
/// The user's where there is no MPI.
pub(crate) fn start() -> Result<()> {
    Ok(distributed::start(load_process_functions(&library()?)?)?)
}

/// Compiles the functions, unless the cache has them.
///
/// # Errors
/// As [`start`].
pub(super) fn prepare() -> Result<()> {
    library().map(drop)
}

/// Has kernels of this process that are called on a communicator use these functions.
///
/// # Errors
/// As [`start`].
pub(crate) fn use_in_calls() -> Result<()> {
    if !distributed::has_functions() {
        distributed::use_functions(load_process_functions(&library()?)?);
    }
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
