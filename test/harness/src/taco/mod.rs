//! Expressions in TACO's notation, each a line with its flags: run on several random data sets and compared
//! with the oracle, which runs the `.ta` program that `comet expr` prints for them.

mod check;
mod data;
pub mod line;
mod written;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

pub use check::{Agreement, Breadth, check};
use line::Line;

/// What became of many lines.
#[derive(Debug, Default)]
pub struct Summary {
    /// How often each outcome came up that is no failure: agreement, or the words of a refusal.
    pub counts: BTreeMap<String, usize>,
    /// What differs, with everything that repeats it.
    pub failures: Vec<String>,
}

/// Checks all lines on all cores; lines that are equal are checked once and counted as often as they are
/// there.
///
/// # Errors
/// What keeps the compiler from being run at all.
pub fn run(comet: &Path, lines: &[Line], breadth: Breadth) -> Result<Summary, String> {
    let mut distinct: BTreeMap<&Line, usize> = BTreeMap::new();
    lines.iter().for_each(|line| *distinct.entry(line).or_default() += 1);
    let work: Vec<(&Line, usize)> = distinct.into_iter().collect();
    let (next, summary) = (AtomicUsize::new(0), Mutex::new(Summary::default()));
    let worker = || -> Result<(), String> {
        while let Some((line, count)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            let outcome = check(comet, line, breadth)?;
            let mut summary = summary.lock().map_err(|error| error.to_string())?;
            match outcome {
                Agreement::Agrees => *summary.counts.entry(AGREES.to_owned()).or_default() += count,
                Agreement::Refused(words) => {
                    *summary.counts.entry(format!("refused: {words}")).or_default() += count
                }
                Agreement::Differs(report) => summary.failures.push(report),
            }
        }
        Ok(())
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().map_err(|_| "a worker panicked".to_owned())?)
    })?;
    summary.into_inner().map_err(|error| error.to_string())
}

/// The outcome that is wanted, in a table.
pub const AGREES: &str = "agrees with the oracle";
