use comet_runtime::destination::Destination;
use comet_runtime::error::reason;
use std::io;

/// What a generator or the writer refuses.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The options contradict each other; the text says which and what would do.
    #[error("{0}")]
    Options(String),
    #[error("{entries} entries do not fit the memory")]
    Memory { entries: u128 },
    #[error("cannot write {to}: {}", reason(source))]
    NotWritten { to: Destination, source: io::Error },
}
