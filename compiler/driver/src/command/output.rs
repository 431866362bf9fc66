//! Where results go.

use crate::failure::{Failure, Result};
use comet_runtime::destination::Destination;
use comet_runtime::error::reason;
use comet_runtime::output;
use serde::Serialize;
use std::io::{BufWriter, Error, Write as _};
use std::path::Path;

/// Prints on standard output. A reader that has gone away has seen enough.
pub(crate) fn print(text: &[u8]) -> Result<()> {
    output::print(text).map_err(|error| refused(&error))
}

pub(crate) fn refused(error: &Error) -> Failure {
    Failure::plain(output::refused(error))
}

/// Writes a result. A file is written whole or not at all.
pub(crate) fn write(to: impl Into<Destination>, content: &[u8]) -> Result<()> {
    let to = to.into();
    to.write(|file| file.write_all(content)).map_err(|error| not_written(&to, &error))
}

/// Writes a result as JSON, without having all of it in memory.
pub(crate) fn write_json(to: impl Into<Destination>, value: &impl Serialize) -> Result<()> {
    let to = to.into();
    let written = to.write(|file| {
        let mut buffer = BufWriter::new(file);
        serde_json::to_writer_pretty(&mut buffer, value)?;
        buffer.write_all(b"\n")?;
        buffer.flush()
    });
    written.map_err(|error| not_written(&to, &error))
}

pub(crate) fn not_written(to: &Destination, error: &Error) -> Failure {
    match to {
        Destination::StandardOutput => refused(error),
        Destination::File(path) => Failure::file("write", path, reason(error)),
    }
}

/// Refuses results that could not be written, before the work that they are results of. Where one of them
/// goes to standard output, what a command prints besides goes to standard error.
pub(crate) fn check<'d>(results: impl IntoIterator<Item = &'d Destination>) -> Result<()> {
    let mut is_reserved = false;
    for to in results {
        let Some(path) = to.file() else {
            if is_reserved {
                let message = "two results would be mixed on standard output, which `-` stands for";
                return Err(Failure::hinted(message, "name a file for one of them"));
            }
            is_reserved = true;
            continue;
        };
        check_folder(path)?;
        to.check().map_err(|error| not_written(to, &error))?;
    }
    if is_reserved {
        output::reserve();
    }
    Ok(())
}

/// Refuses a file in a folder that is not there.
pub(crate) fn check_folder(path: &Path) -> Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        Some(folder) => {
            Err(Failure::file("write", path, format!("there is no folder `{}`", folder.display())))
        }
        None => Ok(()),
    }
}
