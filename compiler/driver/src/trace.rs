//! The file that a trace of runs on the simulator goes to.

use crate::arguments::TracePath;
use crate::command::output::not_written;
use crate::failure::Result;
use comet_runtime::destination::BegunResult;
use comet_sam::graph::Graph;
use comet_sam::simulate::Trace;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// A file that a trace is written to. It takes its place when it is finished, also behind a run that has
/// failed: how that came to a deadlock is what one wants to see.
#[derive(Debug)]
pub(crate) struct TraceFile<'p> {
    target: &'p TracePath,
    part: OpenTrace,
}

/// The file as the trace and those who finish it have it; none when it is finished.
#[derive(Clone, Debug)]
pub(crate) struct OpenTrace(Rc<RefCell<Option<BegunResult>>>);

impl<'p> TraceFile<'p> {
    pub(crate) fn new(target: &'p TracePath) -> Result<Self> {
        let part = target.to.begin().map_err(|error| not_written(&target.to, &error))?;
        Ok(Self { target, part: OpenTrace(Rc::new(RefCell::new(Some(part)))) })
    }

    pub(crate) fn begin(&self, graphs: &[&Graph]) -> Result<Trace<'static>> {
        let trace = Trace::new(self.target.format, graphs, self.part.clone());
        trace.map_err(|error| not_written(&self.target.to, &error))
    }

    /// Who finishes the file behind a failure.
    pub(crate) fn part(&self) -> OpenTrace {
        self.part.clone()
    }

    /// Puts the file in its place.
    pub(crate) fn finish(self) -> Result<()> {
        self.part.finish().map_err(|error| not_written(&self.target.to, &error))
    }
}

impl OpenTrace {
    /// Puts the file in its place, if nobody has done so.
    pub(crate) fn finish(&self) -> io::Result<()> {
        self.0.take().map_or(Ok(()), BegunResult::finish)
    }
}

impl Write for OpenTrace {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().as_mut().map_or(Ok(bytes.len()), |part| part.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().as_mut().map_or(Ok(()), BegunResult::flush)
    }
}
