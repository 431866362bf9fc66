//! Graphviz, which draws graphs.

use crate::failure::{Failure, Result};
use comet_diag::Diagnostic;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// The picture of a graph in DOT, as SVG.
pub(crate) fn svg(dot: &str) -> Result<Vec<u8>> {
    let drawn = tempfile::tempfile().and_then(|mut input| {
        input.write_all(dot.as_bytes())?;
        std::io::Seek::rewind(&mut input)?;
        Command::new("dot").arg("-Tsvg").stdin(input).stderr(Stdio::piped()).output()
    });
    let drawn = drawn.map_err(|error| {
        let error = Diagnostic::error_without_place(format!("cannot run Graphviz's `dot`: {error}"));
        Failure::user(error.hint("install Graphviz, or draw what `--emit=sam-dot` gives elsewhere"))
    })?;
    match drawn.status.success() {
        true => Ok(drawn.stdout),
        false => Err(Failure::internal(format!(
            "Graphviz's `dot` refuses a picture: {}",
            String::from_utf8_lossy(&drawn.stderr).trim_end()
        ))),
    }
}
