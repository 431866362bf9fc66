//! Processes that fail: one reports why, and ends all.

use super::processes;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What processes announce of failures: that they fail, and that they have reported why.
const FAILS: i32 = 0;
const HAS_REPORTED: i32 = 1;

/// How long a process that fails waits for others that fail, too, and come before it.
const PATIENCE: Duration = Duration::from_millis(250);
/// The time for the process that reports to end all others.
const GRACE: Duration = Duration::from_secs(3);

static REPORTS: AtomicBool = AtomicBool::new(false);

/// Whether this process, which fails, is the one to report why: of several that fail at about the same time,
/// the first.
pub fn reports() -> bool {
    let Some(processes) = processes() else { return true };
    if REPORTS.load(Ordering::Relaxed) {
        return true;
    }
    processes.functions.announce_failure(FAILS);
    let patience = if processes.rank == 0 { Duration::ZERO } else { PATIENCE };
    let end = Instant::now() + patience;
    loop {
        let mut what = FAILS;
        let from = processes.functions.poll_failure(&mut what);
        if from >= 0 && (what == HAS_REPORTED || (from as usize) < processes.rank) {
            return false;
        }
        if from < 0 && Instant::now() >= end {
            break;
        }
        if from < 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    REPORTS.store(true, Ordering::Relaxed);
    processes.functions.announce_failure(HAS_REPORTED);
    true
}

/// Ends all processes after a failure; returns where there is one alone.
pub fn end(code: i32) {
    let Some(processes) = processes() else { return };
    if !REPORTS.load(Ordering::Relaxed) {
        // Another one reports, and ends this one.
        std::thread::sleep(GRACE);
    }
    processes.functions.end(code);
}
