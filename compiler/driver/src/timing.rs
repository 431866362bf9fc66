//! `--time-passes`: how long the steps of the driver take.

use comet_runtime::output::tell;
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// A clock for steps, in the order they were taken.
#[derive(Debug, Default)]
pub(crate) struct Timing {
    /// Whether the times are wanted. MLIR then reports its passes as well.
    pub(crate) enabled: bool,
    pub(crate) steps: RefCell<Vec<(&'static str, Duration)>>,
}

impl Timing {
    pub(crate) fn step<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let _span = tracing::info_span!("step", name).entered();
        let start = Instant::now();
        let result = work();
        self.steps.borrow_mut().push((name, start.elapsed()));
        result
    }

    /// Prints the steps so far to standard error, where that is wanted, and forgets them.
    pub(crate) fn report(&self) {
        let steps = self.steps.take();
        if !self.enabled {
            return;
        }
        let total: Duration = steps.iter().map(|(_, time)| *time).sum();
        for (name, time) in steps.into_iter().chain([("total", total)]) {
            tell(format_args!("time: {:>9.3} ms  {name}", time.as_secs_f64() * 1e3));
        }
    }
}
