use std::io;
use std::path::PathBuf;

/// What a generator or the writer refuses.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The options contradict each other; the text says which and what would do.
    #[error("{0}")]
    Options(String),
    #[error("{entries} entries do not fit the memory")]
    Memory { entries: u128 },
    #[error("cannot write `{}`: {}", path.display(), without_number(source))]
    File { path: PathBuf, source: io::Error },
}

/// The reason of an error of the system, without the number that follows and says nothing more.
fn without_number(error: &io::Error) -> String {
    error.to_string().split(" (os error").next().unwrap_or_default().to_lowercase()
}
