//! Graphs as Comal and FuseFlow exchange them: the protobuf message `tortilla.ComalGraph`
//! (stanford-ppl/tortilla). Comal runs them on DAM (sam.md, "Comal"); FuseFlow compiles PyTorch models to
//! them (arXiv 2511.04768).
//!
//! Operations are connected by numbered streams, one reader for each. A file does not say how tensors are
//! stored, but which levels are looked up: reading finds the levels of a tensor by following its references.

mod message;
mod read;
mod write;

use crate::graph::{Foreign, Graph};
use prost::Message;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ComalError {
    /// What was found, with the number of the operation, and what was expected.
    pub message: String,
    pub hint: String,
}

impl ComalError {
    fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into() }
    }
}

/// Returns the graph of a file.
///
/// # Errors
/// The bytes are no `ComalGraph`, an operation is not supported, or its streams do not fit together.
pub fn read(bytes: &[u8]) -> Result<Graph, ComalError> {
    let decoded = message::ComalGraph::decode(bytes);
    let message = decoded.map_err(|error| {
        let hint = "expected a serialized `ComalGraph`, as FuseFlow and `comet build --emit=comal` write it";
        ComalError::new(format!("this is no graph of Comal: {error}"), hint)
    })?;
    read::graph(message)
}

/// Returns the file of a graph whose blocks Comal has.
///
/// # Errors
/// The first block that it does not have.
pub fn write(graph: &Graph) -> Result<Vec<u8>, Foreign> {
    Ok(write::message(graph)?.encode_to_vec())
}
