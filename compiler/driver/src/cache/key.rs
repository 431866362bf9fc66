//! What the code of a program follows from, as one number.

use crate::middle::Checked;
use crate::own;
use crate::session::Session;
use blake3::{Hash, Hasher};
use comet_backend_cpu::native::Target;
use std::fmt::{self, Debug, Display};
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key(Hash);

/// What an object is for: another one has other entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// To be run in this process.
    Memory,
    /// `main` with the entry of an executable.
    Executable,
    /// The kernels of a library.
    Library,
    /// Kernels that this process calls.
    KernelsInMemory,
}

impl Key {
    /// That of a program: its text with the names of its files, which messages at run time contain, and what
    /// the front end has made of it; the choices of the command line; the target; the compiler. What files
    /// hold is no part of it, since no step of the compiler opens them: programs solve their extents
    /// themselves.
    ///
    /// `None` where it is not known which compiler this is.
    pub(crate) fn of_program(checked: Checked<'_>, target: &Target, purpose: Use) -> Option<Self> {
        let Checked { session, source, program } = checked;
        let compiler = Compiler::running()?;
        let mut hasher = Hasher::new();
        let Session { choices, debug_info, processes, symbols, .. } = session;
        let parts: [&dyn Debug; 9] =
            [&compiler, target, choices, debug_info, processes, symbols, &purpose, source, program];
        parts.into_iter().for_each(|part| add(&mut hasher, part));
        Some(Self(hasher.finalize()))
    }

    /// That of what follows from a text alone.
    pub(crate) fn of_text(text: &str) -> Self {
        Self(blake3::hash(text.as_bytes()))
    }
}

impl Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

/// Each part ends where no text in it can: strings are printed with their quotes.
fn add(hasher: &mut Hasher, part: &dyn Debug) {
    writeln!(hasher, "{part:?}").expect("a hash takes everything");
}

/// The program that runs here. Each build writes a file of its own at a time of its own, and whoever replaces
/// the file by another one cannot choose when the system says that it was changed.
#[derive(Debug)]
#[expect(dead_code, reason = "they are printed")]
struct Compiler {
    version: &'static str,
    path: PathBuf,
    /// The device and the number of the file on it.
    file: (u64, u64),
    bytes: u64,
    /// Seconds and nanoseconds: of the content, and of anything about the file.
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Compiler {
    fn running() -> Option<Self> {
        let (path, file) = own::file()?;
        Some(Self {
            version: crate::arguments::version(),
            path,
            file: (file.dev(), file.ino()),
            bytes: file.len(),
            modified: (file.mtime(), file.mtime_nsec()),
            changed: (file.ctime(), file.ctime_nsec()),
        })
    }
}
