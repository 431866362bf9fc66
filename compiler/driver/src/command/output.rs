//! Where results go.

use crate::failure::{Failure, Result};
use comet_diag::Diagnostic;
use comet_runtime::error::reason;
use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

/// Writes to standard output. A reader that has gone away has seen enough.
pub(crate) fn print(text: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(refused(&error)),
        _ => Ok(()),
    }
}

/// Standard output that cannot be written to.
pub(crate) fn refused(error: &std::io::Error) -> Failure {
    Failure::user(Diagnostic::error_without_place(format!(
        "cannot write to standard output: {}",
        reason(error)
    )))
}

/// Writes a file, whole or not at all.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<()> {
    let written = File::create(path)
        .and_then(|mut file| file.write_all(content).inspect_err(|_| comet_runtime::write::discard(path)));
    written.map_err(|error| Failure::file("write", path, reason(&error)))
}
