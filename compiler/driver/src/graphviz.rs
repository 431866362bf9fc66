//! Graphviz, which draws graphs.

use crate::failure::{Failure, Result};
use std::io::Write as _;
use std::process::{Command, Stdio};

pub(crate) fn svg(dot: &str) -> Result<Vec<u8>> {
    let drawn = tempfile::tempfile().and_then(|mut input| {
        input.write_all(dot.as_bytes())?;
        std::io::Seek::rewind(&mut input)?;
        Command::new("dot").arg("-Tsvg").stdin(input).stderr(Stdio::piped()).output()
    });
    let drawn = drawn.map_err(|error| {
        let hint = "install Graphviz, or draw what `--emit=sam-dot` gives elsewhere";
        Failure::hinted(format!("cannot run Graphviz's `dot`: {error}"), hint)
    })?;
    if drawn.status.success() && !drawn.stdout.is_empty() {
        return Ok(drawn.stdout);
    }
    let said = String::from_utf8_lossy(&drawn.stderr);
    let error = format!("Graphviz's `dot` has drawn nothing ({}): {}", drawn.status, said.trim_end());
    Err(Failure::hinted(error, "see whether `dot -V` works"))
}
