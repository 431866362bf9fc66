//! Where a trace goes.

use comet_sam::simulate::TraceFormat;
use std::path::{Path, PathBuf};

/// A file, and the format that its ending asks for.
#[derive(Clone, Debug)]
pub(crate) struct TracePath {
    pub(crate) path: PathBuf,
    pub(crate) format: TraceFormat,
}

pub(super) fn parse(path: &str) -> Result<TracePath, String> {
    let format = TraceFormat::of(Path::new(path))
        .ok_or_else(|| format!("the ending of `{path}` is none of a trace, expected `.csv` or `.vcd`"))?;
    Ok(TracePath { path: path.into(), format })
}
