//! Where results go.

use crate::failure::{Failure, Result};
use comet_runtime::error::reason;
use comet_runtime::replace::{self, replace};
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// Writes to standard output. A reader that has gone away has seen enough.
pub(crate) fn print(text: &[u8]) -> Result<()> {
    comet_runtime::output::print(text).map_err(|error| refused(&error))
}

pub(crate) fn refused(error: &std::io::Error) -> Failure {
    Failure::plain(format!("cannot write to standard output: {}", reason(error)))
}

/// Writes a file, whole or not at all.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<()> {
    replace(path, |file| file.write_all(content))
        .map_err(|error| Failure::file("write", path, reason(&error)))
}

/// Writes a file of JSON, whole or not at all, without having all of it in memory.
pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let write = |file: &mut File| {
        let mut buffer = BufWriter::new(file);
        serde_json::to_writer_pretty(&mut buffer, value)?;
        buffer.write_all(b"\n")?;
        buffer.flush()
    };
    replace(path, write).map_err(|error| Failure::file("write", path, reason(&error)))
}

/// Refuses files that could not be written, before the work whose results go there.
pub(crate) fn check<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<()> {
    paths.into_iter().try_for_each(|path| {
        check_folder(path)?;
        replace::check(path).map_err(|error| Failure::file("write", path, reason(&error)))
    })
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
