//! The whole program on spoilt inputs: programs, data, graphs, applications, flags, variables of the
//! environment, caches, schedules and expressions. Whatever it is given, it ends in time, within its memory,
//! and with exit code 0 or 1.

mod case;
mod corpus;
mod spoil;

use crate::compiler::{self, End, Finished};
use crate::random::rng::Rng;
use case::Case;
use corpus::Corpus;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What a run may take beyond what its program needs: no input here needs a tenth of it.
const LIMIT: Duration = Duration::from_secs(10);
/// What a line of a program may take: some inputs have a hundred statements of several loops that are merged.
const LIMIT_OF_LINE: Duration = Duration::from_millis(300);
/// The limit of a run's private memory that it may write to, in KiB.
const MEMORY: &str = "1048576";

/// What is run.
pub struct Settings {
    /// Repeats a run.
    pub seed: u64,
    /// The number of the first input.
    pub first: u64,
    /// The number of inputs.
    pub cases: u64,
    /// The folder that inputs are kept in which something is wrong with.
    pub keep: PathBuf,
}

/// What came of it.
#[derive(Default)]
pub struct Report {
    /// How many inputs of each kind ended with exit code 0 and 1.
    pub ends: BTreeMap<&'static str, [usize; 2]>,
    /// What is wrong, an input each.
    pub faults: Vec<String>,
}

/// Runs inputs, one on each core at a time.
///
/// # Errors
/// What keeps the program from starting, or files from being written.
pub fn run(comet: &Path, settings: &Settings) -> io::Result<Report> {
    let corpus = Corpus::read()?;
    let next = AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let reports: Vec<io::Result<Report>> = std::thread::scope(|scope| {
        let run = || run_some(comet, settings, &corpus, &next);
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|thread| thread.join().expect("faults are reported, not panics")).collect()
    });
    let mut all = Report::default();
    for report in reports {
        let report = report?;
        for (kind, [done, refused]) in report.ends {
            let counts = all.ends.entry(kind).or_default();
            *counts = [counts[0] + done, counts[1] + refused];
        }
        all.faults.extend(report.faults);
    }
    Ok(all)
}

/// Runs the inputs that `next` counts until there is none left.
fn run_some(comet: &Path, settings: &Settings, corpus: &Corpus, next: &AtomicU64) -> io::Result<Report> {
    let mut report = Report::default();
    let draw = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < settings.cases);
    while let Some(number) = draw() {
        let number = settings.first + number;
        let folder = tempfile::tempdir()?;
        corpus.lay_out(folder.path())?;
        let case = case::draw(corpus, &mut Rng::numbered(settings.seed, number), number, folder.path())?;
        match fault(comet, &case, folder.path())? {
            Outcome::Exit(code) => report.ends.entry(case.kind).or_default()[code] += 1,
            Outcome::Fault(what) => {
                let kept = settings.keep.join(number.to_string());
                keep(folder.path(), &kept)?;
                report.faults.push(described(number, &case, &what, &kept));
            }
        }
    }
    Ok(report)
}

enum Outcome {
    /// 0 or 1.
    Exit(usize),
    Fault(String),
}

fn fault(comet: &Path, case: &Case, folder: &Path) -> io::Result<Outcome> {
    let finished = limited(comet, &case.arguments, &case.variables, folder)?;
    let outcome = match finished.end {
        End::Exit(code @ (0 | 1)) => Outcome::Exit(code as usize),
        End::Exit(code) => Outcome::Fault(format!("exit code {code}")),
        End::Signal(signal) => Outcome::Fault(format!("signal {signal}")),
        End::TimeOut if computes_long(comet, case, folder)? => Outcome::Exit(0),
        End::TimeOut => Outcome::Fault(format!("it ran for more than {} s", limit(folder)?.as_secs())),
    };
    if let Outcome::Exit(_) = outcome {
        // A repeated run with a spoilt cache does what one without it does, unless it refuses the cache.
        if finished.end == End::Exit(0)
            && case.expected.as_ref().is_some_and(|expected| *expected != finished.stdout)
        {
            return Ok(Outcome::Fault(format!("it printed something else: {}", finished.stdout)));
        }
        if finished.stderr.contains("panicked at") {
            return Ok(Outcome::Fault("a thread panicked".to_owned()));
        }
        return Ok(outcome);
    }
    let Outcome::Fault(what) = outcome else { return Ok(outcome) };
    let told: String = finished.stderr.chars().take(2000).collect();
    Ok(Outcome::Fault(format!("{what}\n{told}")))
}

/// Whether the time is the program's own, which may loop for ever: all that is before running it ends in
/// time.
fn computes_long(comet: &Path, case: &Case, folder: &Path) -> io::Result<bool> {
    let Some(arguments) = &case.without_running else { return Ok(false) };
    Ok(limited(comet, arguments, &case.variables, folder)?.end != End::TimeOut)
}

/// How long a run may take whose program, if it has one, is in the folder.
fn limit(folder: &Path) -> io::Result<Duration> {
    let program = folder.join(case::PROGRAM);
    let lines =
        if program.is_file() { fs::read(program)?.iter().filter(|byte| **byte == b'\n').count() } else { 0 };
    Ok(LIMIT + LIMIT_OF_LINE * lines.min(200) as u32)
}

/// The shell limits memory, since what a process does between fork and exec is unsafe to write.
fn limited(
    comet: &Path,
    arguments: &[String],
    variables: &[(String, String)],
    folder: &Path,
) -> io::Result<Finished> {
    let mut words = vec!["-c", "ulimit -d \"$0\" -c 0 2>/dev/null || ulimit -d \"$0\"; exec \"$@\"", MEMORY];
    let comet = comet.to_string_lossy();
    words.push(&comet);
    words.extend(arguments.iter().map(String::as_str));
    compiler::run_within(Path::new("/bin/sh"), &words, variables, folder, limit(folder)?)
}

fn keep(folder: &Path, kept: &Path) -> io::Result<()> {
    fs::create_dir_all(kept)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), kept.join(entry.file_name()))?;
        }
    }
    Ok(())
}

fn described(number: u64, case: &Case, what: &str, kept: &Path) -> String {
    let mut text = format!("input {number} ({}) in {}: comet", case.kind, kept.display());
    for argument in &case.arguments {
        let _ = write!(text, " {argument:?}");
    }
    for (name, value) in &case.variables {
        let _ = write!(text, " [{name}={value:?}]");
    }
    let _ = write!(text, "\n{what}");
    text
}
