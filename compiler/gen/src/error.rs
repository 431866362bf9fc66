use std::fmt;
use std::io;
use std::path::PathBuf;

/// What a generator or the writer refuses.
#[derive(Debug)]
pub enum Error {
    /// The options contradict each other; the text says which and what would do.
    Options(String),
    /// So many entries do not fit the memory.
    Memory {
        entries: u128,
    },
    File {
        path: PathBuf,
        reason: io::Error,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Options(text) => f.write_str(text),
            Error::Memory { entries } => write!(f, "{entries} entries do not fit the memory"),
            Error::File { path, reason } => {
                // The number that follows says nothing more.
                let reason = reason.to_string();
                let reason = reason.split(" (os error").next().unwrap_or_default().to_lowercase();
                write!(f, "cannot write `{}`: {reason}", path.display())
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::File { reason, .. } => Some(reason),
            Error::Options(_) | Error::Memory { .. } => None,
        }
    }
}
