//! Where a result is written: a file, or standard output, which `-` stands for. Every command and every
//! function that writes where it was asked to asks this type, so that none creates a file named `-`.

use crate::output;
use crate::replace::{self, Replacement};
use comet_abi::STANDARD_OUTPUT;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The place of one result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    StandardOutput,
    File(PathBuf),
}

impl Destination {
    /// Returns the destination that a text names: `-` is standard output.
    pub fn named(name: impl AsRef<OsStr>) -> Self {
        let name = name.as_ref();
        if name == STANDARD_OUTPUT { Self::StandardOutput } else { Self::File(PathBuf::from(name)) }
    }

    /// Returns the file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::StandardOutput => None,
            Self::File(path) => Some(path),
        }
    }

    /// Writes a file, whole or not at all, or to standard output, behind what was printed before.
    ///
    /// # Errors
    /// What the system refuses, and what `write` fails with.
    pub fn write<T>(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
        let mut begun = self.begin()?;
        let written = write(&mut begun)?;
        begun.finish()?;
        Ok(written)
    }

    /// Begins a result that is written piece by piece.
    ///
    /// # Errors
    /// A folder or a file that cannot be written to.
    pub fn begin(&self) -> io::Result<BegunResult> {
        Ok(match self {
            Self::StandardOutput => BegunResult::StandardOutput(output::StandardOutput),
            Self::File(path) => BegunResult::File(Replacement::new(path)?),
        })
    }

    /// Asks whether it can be written to.
    ///
    /// # Errors
    /// What [`Destination::write`] would fail with now.
    pub fn check(&self) -> io::Result<()> {
        self.file().map_or(Ok(()), replace::check)
    }
}

/// A result that is being written.
#[derive(Debug)]
pub enum BegunResult {
    StandardOutput(output::StandardOutput),
    /// A file that replaces the one at its path when the result is finished; until then, that one stays.
    File(Replacement),
}

impl BegunResult {
    /// Puts a file in its place.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::StandardOutput(mut output) => output.flush(),
            Self::File(file) => file.finish(),
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::StandardOutput(output) => output,
            Self::File(file) => file,
        }
    }
}

impl Write for BegunResult {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

impl From<OsString> for Destination {
    fn from(name: OsString) -> Self {
        Self::named(name)
    }
}

impl From<&Path> for Destination {
    fn from(path: &Path) -> Self {
        Self::named(path)
    }
}

impl From<&PathBuf> for Destination {
    fn from(path: &PathBuf) -> Self {
        Self::named(path)
    }
}

impl From<&Self> for Destination {
    fn from(destination: &Self) -> Self {
        destination.clone()
    }
}

/// As messages name it: `standard output`, or the path in backticks.
impl fmt::Display for Destination {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StandardOutput => formatter.write_str("standard output"),
            Self::File(path) => write!(formatter, "`{}`", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `-` is standard output and `./-` is a file, so that a file of that name can still be written.
    #[test]
    fn a_dash_is_standard_output() {
        assert_eq!(Destination::named("-"), Destination::StandardOutput);
        for name in ["./-", "-.mtx", "--", "a-"] {
            assert_eq!(Destination::named(name), Destination::File(PathBuf::from(name)));
        }
        let shown = ["-", "a.mtx"].map(|name| Destination::named(name).to_string());
        assert_eq!(shown, ["standard output", "`a.mtx`"]);
    }

    /// A file appears when all of it is written.
    #[test]
    fn files_are_written_whole() {
        let folder = tempfile::tempdir().unwrap();
        let to = Destination::from(&folder.path().join("a.txt"));
        to.write(|file| file.write_all(b"2.5\n")).unwrap();
        let failed = to.write(|file| file.write_all(b"3").and(Err::<(), _>(io::Error::other("no more"))));
        assert_eq!(failed.unwrap_err().to_string(), "no more");
        assert_eq!(std::fs::read(to.file().unwrap()).unwrap(), b"2.5\n");
        assert!(Destination::from(&folder.path().join("none/a.txt")).check().is_err());
    }
}
