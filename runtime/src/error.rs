//! What can go wrong at run time. Messages are lower case, name what was found and what was expected, and
//! carry no place in the `.ta` source: the C ABI adds it.

use crate::destination::Destination;
use crate::exit::Failure;
use crate::output;
use comet_format::FormatError;
use std::ffi::c_int;
use std::path::{Path, PathBuf};

/// A failure of a reader, a writer, packing or allocation.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused a file.
    #[error("cannot {action} `{}`: {}", path.display(), reason(source))]
    File {
        /// The file.
        path: PathBuf,
        /// `read` or `write`.
        action: &'static str,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A file's content is not what its kind demands.
    #[error("{}{}: {message}", path.display(), line.map(|line| format!(":{line}")).unwrap_or_default())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1; a file as a whole and a binary file have none.
        line: Option<u64>,
        /// What was found and what was expected.
        message: String,
    },
    /// Something the run time refuses by name, with a way out.
    #[error("{0}")]
    Unsupported(String),
    /// A request that the machine's memory cannot satisfy.
    #[error("{}", out_of_memory(what, *bytes, *available))]
    OutOfMemory {
        /// What was to be stored.
        what: String,
        /// The number of bytes that it takes; `None` where that overflows.
        bytes: Option<usize>,
        /// The bytes that are available, where the system says so.
        available: Option<usize>,
    },
    /// A position or coordinate that 32 bits cannot hold.
    #[error("`{tensor}` needs the index {found}, which 32 bits cannot hold; declare it with `index=i64`")]
    IndexTooNarrow {
        /// The tensor.
        tensor: String,
        /// The number that does not fit.
        found: u64,
    },
    /// A division of an integer by zero.
    #[error("division of the integer {0} by zero")]
    Division(i64),
    /// Two coordinates where an S level stores one.
    #[error(
        "level {level} of `{tensor}` is `S`, which stores one coordinate under each parent, but the data has \
         {} and {} under the same one",
        found[0],
        found[1]
    )]
    Singleton {
        /// The tensor.
        tensor: String,
        /// The level, counted from 0.
        level: usize,
        /// Two of the coordinates under one parent.
        found: [u64; 2],
    },
    /// Extents, ranks or positions that contradict each other.
    #[error("{0}")]
    Shape(String),
    /// An option of the command line, a variable of the environment, an argument of a kernel.
    #[error("{0}")]
    Option(String),
    /// What has ended the generated code of a kernel.
    #[error("{}", .0.message)]
    Failed(Failure),
    /// A tensor at a kernel's border in another format than the kernel's.
    #[error("{0}")]
    Mismatch(String),
    /// A text that is no format.
    #[error("internal: {0}")]
    Format(#[from] FormatError),
    /// A request that the compiler should never have made.
    #[error("internal: {0}")]
    Internal(String),
}

/// What a kernel returns to a C program: `comet_status` in `include/comet.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    /// The kernel has done its work.
    Ok = 0,
    /// An argument that is not there, or not what its structure promises.
    Argument = 1,
    /// A tensor in another format than the kernel's.
    Format = 2,
    /// Extents that contradict each other.
    Shape = 3,
    /// Memory that is not granted.
    Memory = 4,
    /// A file that cannot be read or written.
    File = 5,
    /// Data that the kernel or a format has no room for.
    Data = 6,
    /// A mistake of comet.
    Internal = 7,
    /// Division of an integer by zero: in C, data like other data.
    Division = 8,
}

impl Status {
    /// Every one.
    pub(crate) const ALL: [Self; 9] = [
        Self::Ok,
        Self::Argument,
        Self::Format,
        Self::Shape,
        Self::Memory,
        Self::File,
        Self::Data,
        Self::Internal,
        Self::Division,
    ];

    /// Returns the number in `include/comet.h`.
    pub(crate) fn code(self) -> c_int {
        match self {
            Self::Division => Self::Data as c_int,
            other => other as c_int,
        }
    }
}

impl Error {
    /// What a kernel returns.
    pub fn status(&self) -> Status {
        match self {
            Self::File { .. } | Self::Malformed { .. } => Status::File,
            Self::Unsupported(_) | Self::IndexTooNarrow { .. } | Self::Singleton { .. } => Status::Data,
            Self::Division(_) => Status::Division,
            Self::OutOfMemory { .. } => Status::Memory,
            Self::Shape(_) => Status::Shape,
            Self::Option(_) => Status::Argument,
            Self::Mismatch(_) => Status::Format,
            Self::Failed(failure) => failure.status,
            Self::Format(_) | Self::Internal(_) => Status::Internal,
        }
    }

    pub(crate) fn malformed(path: &Path, line: impl Into<Option<u64>>, message: impl Into<String>) -> Self {
        Self::Malformed { path: path.to_owned(), line: line.into(), message: message.into() }
    }

    pub(crate) fn read(path: &Path, source: std::io::Error) -> Self {
        Self::File { path: path.to_owned(), action: "read", source }
    }

    pub(crate) fn write(path: &Path, source: std::io::Error) -> Self {
        Self::File { path: path.to_owned(), action: "write", source }
    }

    /// What a destination refuses.
    pub(crate) fn not_written(to: &Destination, source: std::io::Error) -> Self {
        match to {
            Destination::StandardOutput => Self::Option(output::refused(&source)),
            Destination::File(path) => Self::write(path, source),
        }
    }

    /// 1 where the user can help it, 2 where only the compiler can.
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::Internal(_) | Self::Format(_) => 2,
            _ => 1,
        }
    }
}

/// A message for a terminal: names in it may hold control characters, which are escaped.
pub fn shown(message: &str) -> String {
    let is_plain = |character: char| !character.is_control() || character == '\n';
    let mut shown = String::with_capacity(message.len());
    for character in message.chars() {
        if is_plain(character) {
            shown.push(character);
        } else {
            shown.extend(character.escape_default());
        }
    }
    shown
}

/// The whole numbers that an index may be, in words that fit where there is one of them or none.
pub(crate) fn index_range(least: i64, most: i64) -> String {
    match most.checked_sub(least) {
        Some(0) => most.to_string(),
        Some(..0) => "none, since the extent is 0".to_owned(),
        _ => format!("{least} to {most}"),
    }
}

/// The system's reason without its number, which says nothing more.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((reason, _)) => reason.to_lowercase(),
        None => text,
    }
}

fn out_of_memory(what: &str, bytes: Option<usize>, available: Option<usize>) -> String {
    let bytes = match bytes {
        Some(bytes) => format!("{bytes} bytes"),
        None => "more bytes than a 64-bit number can count".to_owned(),
    };
    let available = available.map(|available| format!(", {available} are available")).unwrap_or_default();
    format!("out of memory: {what} needs {bytes}{available}")
}

impl From<comet_abi::TextError> for Error {
    fn from(error: comet_abi::TextError) -> Self {
        Self::Internal(error.0)
    }
}
