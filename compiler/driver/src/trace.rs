//! The file that a trace of runs on the simulator goes to.

use crate::arguments::TracePath;
use crate::failure::{Failure, Result};
use comet_runtime::error::reason;
use comet_runtime::replace::replace;
use comet_sam::graph::Graph;
use comet_sam::simulate::{Trace, TraceFormat};
use std::fs::File;
use std::io;
use std::path::PathBuf;

/// A file that a trace is about to be written to.
#[derive(Debug)]
pub(crate) struct TraceFile {
    file: File,
    format: TraceFormat,
    path: PathBuf,
}

impl TraceFile {
    /// Begins the trace, of runs of these graphs.
    pub(crate) fn begin(self, graphs: &[&Graph]) -> Result<Trace<'static>> {
        let Self { file, format, path } = self;
        Trace::new(format, graphs, file).map_err(|error| Failure::file("write", &path, reason(&error)))
    }
}

/// Runs with the file of a trace, if there is one. What a run has traced that has failed stays: that it came
/// to a deadlock is what one wants to see.
pub(crate) fn written<T>(
    trace: Option<&TracePath>,
    run: impl FnOnce(Option<TraceFile>) -> Result<T>,
) -> Result<T> {
    let Some(TracePath { path, format }) = trace else { return run(None) };
    let traced = |file: &mut File| -> io::Result<Result<T>> {
        let file = TraceFile { file: file.try_clone()?, format: *format, path: path.clone() };
        Ok(run(Some(file)))
    };
    replace(path, traced).map_err(|error| Failure::file("write", path, reason(&error)))?
}
