//! What can go wrong at run time. Messages are lower case, name what was found and what was expected, and
//! carry no place in the `.ta` source: the C ABI puts that in front.

use crate::format::FormatError;
use std::fmt;
use std::path::{Path, PathBuf};

/// A failure of a reader, a writer, packing or allocation.
#[derive(Debug)]
pub enum Error {
    /// The operating system refused a file.
    File {
        /// The file.
        path: PathBuf,
        /// `read` or `write`.
        action: &'static str,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A file's content is not what its kind demands.
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1; a file as a whole and a binary file have none.
        line: Option<u64>,
        /// What was found and what was expected.
        message: String,
    },
    /// Something the run time refuses by name, with a way out.
    Unsupported(String),
    /// A request that the machine's memory cannot satisfy.
    OutOfMemory {
        /// What was to be stored.
        what: String,
        /// How many bytes that takes; `None` where the number itself overflows.
        bytes: Option<usize>,
        /// The bytes that are available, where the system says so.
        available: Option<usize>,
    },
    /// A position or coordinate that 32 bits cannot hold.
    IndexTooNarrow {
        /// The tensor.
        tensor: String,
        /// The number that does not fit.
        found: u64,
    },
    /// Two coordinates where an S level stores one.
    Singleton {
        /// The tensor.
        tensor: String,
        /// The level, counted from 0.
        level: usize,
        /// Two of the coordinates under one parent.
        found: [u64; 2],
    },
    /// Extents, ranks or positions that contradict each other.
    Shape(String),
    /// An option of the command line or a variable of the environment.
    Option(String),
    /// A text that is no format.
    Format(FormatError),
    /// A request that the compiler should never have made.
    Internal(String),
}

impl Error {
    pub(crate) fn malformed(path: &Path, line: impl Into<Option<u64>>, message: impl Into<String>) -> Self {
        Self::Malformed { path: path.to_owned(), line: line.into(), message: message.into() }
    }

    pub(crate) fn read(path: &Path, source: std::io::Error) -> Self {
        Self::File { path: path.to_owned(), action: "read", source }
    }

    pub(crate) fn write(path: &Path, source: std::io::Error) -> Self {
        Self::File { path: path.to_owned(), action: "write", source }
    }

    /// 1 where the user can help it, 2 where only the compiler can.
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::Internal(_) | Self::Format(_) => 2,
            _ => 1,
        }
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

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, action, source } => {
                write!(f, "cannot {action} `{}`: {}", path.display(), reason(source))
            }
            Self::Malformed { path, line: Some(line), message } => {
                write!(f, "{}:{line}: {message}", path.display())
            }
            Self::Malformed { path, line: None, message } => write!(f, "{}: {message}", path.display()),
            Self::OutOfMemory { what, bytes, available } => write_out_of_memory(f, what, *bytes, *available),
            Self::IndexTooNarrow { tensor, found } => write!(
                f,
                "`{tensor}` needs the index {found}, which 32 bits cannot hold; declare it with `index=i64`"
            ),
            Self::Singleton { tensor, level, found: [a, b] } => write!(
                f,
                "level {level} of `{tensor}` is `S`, which stores one coordinate under each parent, but the data has \
                 {a} and {b} under the same one"
            ),
            Self::Unsupported(message) | Self::Shape(message) | Self::Option(message) => f.write_str(message),
            Self::Format(error) => write!(f, "internal: {error}"),
            Self::Internal(message) => write!(f, "internal: {message}"),
        }
    }
}

fn write_out_of_memory(
    f: &mut fmt::Formatter<'_>,
    what: &str,
    bytes: Option<usize>,
    available: Option<usize>,
) -> fmt::Result {
    match bytes {
        Some(bytes) => write!(f, "out of memory: {what} needs {bytes} bytes")?,
        None => write!(f, "out of memory: {what} needs more bytes than a 64-bit number can count")?,
    }
    match available {
        Some(available) => write!(f, ", {available} are available"),
        None => Ok(()),
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { source, .. } => Some(source),
            Self::Format(error) => Some(error),
            _ => None,
        }
    }
}

impl From<FormatError> for Error {
    fn from(error: FormatError) -> Self {
        Self::Format(error)
    }
}
