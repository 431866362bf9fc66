//! Where results go.

use crate::failure::{Failure, Result};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

/// Writes to standard output. A reader that has gone away has seen enough.
pub(crate) fn print(text: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::file("write", Path::new("standard output"), error))
        }
        _ => Ok(()),
    }
}

/// Writes a file.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<()> {
    std::fs::write(path, content).map_err(|error| Failure::file("write", path, error))
}
