//! Random programs, compared with the oracle: contractions and elementwise expressions over random formats
//! and data.
//!
//! Several kernels make one program, because starting the compiler takes longer than they do. A program that
//! fails is taken apart into its kernels; each that fails alone is reduced and kept in a folder.

pub mod accelerator;
pub mod check;
mod complex;
pub mod contraction;
pub mod control;
pub mod data;
pub mod focus;
pub mod format;
pub mod function_formats;
mod functions;
pub mod generate;
pub mod kernel;
pub mod label_patterns;
mod own_operators;
pub mod padded;
pub mod part;
pub mod reduce;
pub mod rng;
pub mod schedule;
pub mod sequences;
pub mod source;
mod value;

use std::collections::BTreeMap;
use std::path::PathBuf;

use check::{Runner, Verdict, check};
use contraction::contraction;
use generate::{Shape, kernel};
use kernel::Kernel;
use rng::Rng;

use comet_oracle::Tolerance;

/// Values of programs are between 0 and some hundreds, and functions of them may cancel in sums.
const TOLERANCE: Tolerance = Tolerance { relative: 1e-9, absolute: 1e-13 };

/// One kernel of so many is a contraction that is large enough for a product of matrices.
const CONTRACTIONS: u64 = 15;

/// Programs that the reducer tries.
const REDUCTIONS: usize = 200;

/// The kernels that have numbers.
#[derive(Clone, Debug)]
pub enum Kernels {
    /// Drawn, and what they look like.
    Random(Shape),
    /// Those of a list, whose end is the end of the run.
    Listed(Vec<Kernel>),
}

impl Kernels {
    /// The kernel with that number. The seed is for those that are drawn.
    fn numbered(&self, seed: u64, number: u64) -> Kernel {
        let shape = match self {
            Self::Random(shape) => *shape,
            Self::Listed(kernels) => return kernels[number as usize].clone(),
        };
        let mut rng = Rng::numbered(seed, number);
        if number.is_multiple_of(CONTRACTIONS) && shape.draws_contractions() {
            contraction(&mut rng)
        } else {
            kernel(&mut rng, shape)
        }
    }

    /// Kernels of one program: those of a list are small.
    fn batch(&self) -> u64 {
        match self {
            Self::Random(_) => 10,
            Self::Listed(_) => 30,
        }
    }
}

/// What to generate and where to keep what fails; `test/README.md` lists the variables.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of kernels.
    pub cases: u64,
    /// The number of the first one.
    pub first: u64,
    /// Repeats a run.
    pub seed: u64,
    /// Ends after so many failures.
    pub most_failures: usize,
    /// Whether "not supported yet" passes.
    pub allow_unsupported: bool,
    /// The kernels.
    pub kernels: Kernels,
    /// Where failures are kept.
    pub folder: PathBuf,
}

/// What a run came to.
#[derive(Debug, Default)]
pub struct Summary {
    /// Kernels that agree.
    pub agreed: u64,
    /// Kernels that the compiler does not support, by what it says.
    pub unsupported: BTreeMap<String, u64>,
    /// Kernels whose schedule cannot be carried out, by what the compiler says at a place in it.
    pub refused: BTreeMap<String, u64>,
    /// One report for each failure.
    pub failures: Vec<String>,
}

impl Summary {
    /// The kernels that do not agree.
    fn settled(&self) -> u64 {
        self.failures.len() as u64 + self.refused.values().chain(self.unsupported.values()).sum::<u64>()
    }
}

/// What is not supported, of the report of a refusal.
fn reason(report: &str) -> String {
    let reason = report.split("not supported yet: ").nth(1).and_then(|text| text.lines().next());
    reason.unwrap_or("a reason that is not reported").to_owned()
}

/// The first error of the report of a refusal, without the names in it.
fn refusal(report: &str) -> String {
    let message = report.split("error: ").nth(1).and_then(|text| text.lines().next()).unwrap_or_default();
    let parts = message.split('`').enumerate();
    parts.map(|(number, part)| if number % 2 == 0 { part } else { "`…`" }).collect()
}

/// Runs all cases.
///
/// # Errors
/// What keeps the compiler from being run, or a program that the oracle refuses.
pub fn run(runner: &Runner, options: &Options) -> Result<Summary, String> {
    let mut summary = Summary::default();
    let end = match &options.kernels {
        Kernels::Random(_) => options.first + options.cases,
        Kernels::Listed(kernels) => options.first.saturating_add(options.cases).min(kernels.len() as u64),
    };
    let mut first = options.first;
    while first < end && summary.failures.len() < options.most_failures {
        let numbers = (first..end.min(first + options.kernels.batch())).collect::<Vec<_>>();
        first += options.kernels.batch();
        batch(runner, options, &numbers, &mut summary)?;
    }
    Ok(summary)
}

fn generated(options: &Options, number: u64) -> Kernel {
    options.kernels.numbered(options.seed, number)
}

/// One level of optimization for each program, in turns.
fn level(options: &Options, number: u64) -> &'static str {
    if (number / options.kernels.batch()).is_multiple_of(2) { "-O0" } else { "-O3" }
}

/// Kernels in one program. One whose schedule is refused is taken out of it, and the rest is run again.
fn batch(runner: &Runner, options: &Options, numbers: &[u64], summary: &mut Summary) -> Result<(), String> {
    let mut numbers = numbers.to_vec();
    loop {
        let kernels = numbers.iter().map(|&number| generated(options, number)).collect::<Vec<_>>();
        let verdict = check(runner, &kernels, level(options, numbers[0]))?;
        match &verdict {
            Verdict::Agrees => {
                summary.agreed += numbers.len() as u64;
                return Ok(());
            }
            Verdict::Refused(report)
                if numbers.len() > 1
                    && let Some(place) = refused_kernel(report) =>
            {
                one(runner, options, numbers.remove(place), summary)?;
            }
            _ => return one_by_one(runner, options, (&numbers, &kernels), &verdict, summary),
        }
    }
}

/// Which kernel of a program a refusal is about: names in it begin with `k` and the kernel's number.
fn refused_kernel(report: &str) -> Option<usize> {
    let (_, excerpt) = report.split_once("--> ")?;
    let (_, name) = excerpt.split_once(" k")?;
    name.split_once('_')?.0.parse().ok()
}

fn one_by_one(
    runner: &Runner,
    options: &Options,
    (numbers, kernels): (&[u64], &[Kernel]),
    verdict: &Verdict,
    summary: &mut Summary,
) -> Result<(), String> {
    let before = summary.settled();
    for &number in numbers {
        one(runner, options, number, summary)?;
    }
    if summary.settled() == before {
        let report = keep(runner, options, numbers[0], kernels, ("fails as a whole only", verdict))?;
        summary.failures.push(report);
    }
    Ok(())
}

fn one(runner: &Runner, options: &Options, number: u64, summary: &mut Summary) -> Result<(), String> {
    if summary.failures.len() >= options.most_failures {
        return Ok(());
    }
    let level = level(options, number);
    let kernel = generated(options, number);
    match check(runner, std::slice::from_ref(&kernel), level)? {
        Verdict::Agrees => summary.agreed += 1,
        Verdict::Unsupported(report) if options.allow_unsupported => {
            *summary.unsupported.entry(reason(&report)).or_default() += 1;
        }
        Verdict::Refused(report) => *summary.refused.entry(refusal(&report)).or_default() += 1,
        Verdict::Invalid(error) => {
            let verdict = Verdict::Invalid(error);
            return Err(keep(runner, options, number, &[kernel], ("is invalid", &verdict))?);
        }
        failing => {
            let small = reduce::reduce(kernel, REDUCTIONS, &mut |smaller| {
                let verdict = check(runner, std::slice::from_ref(smaller), level);
                verdict.is_ok_and(|verdict| same_kind(&verdict, &failing))
            });
            summary.failures.push(keep(runner, options, number, &[small], ("fails", &failing))?);
        }
    }
    Ok(())
}

fn same_kind(one: &Verdict, other: &Verdict) -> bool {
    match (one, other) {
        (Verdict::Fails(one, _), Verdict::Fails(other, _)) => one == other,
        (Verdict::Unsupported(_), Verdict::Unsupported(_)) => true,
        _ => false,
    }
}

/// Writes kernels to the folder of failures; returns the report with the commands that repeat them.
fn keep(
    runner: &Runner,
    options: &Options,
    number: u64,
    kernels: &[Kernel],
    (what, first): (&str, &Verdict),
) -> Result<String, String> {
    let folder = options.folder.join(format!("seed{}-case{number}", options.seed));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (text, arguments) = source::write(&folder, kernels).map_err(|error| error.to_string())?;
    let found = match check(runner, kernels, level(options, number))? {
        // Threads, or a machine that is too busy.
        Verdict::Agrees => format!("agrees when it is run again; before:\n{}", first.report()),
        again => again.report().to_owned(),
    };
    Ok(format!(
        "case {number} of seed {} {what}:\n{text}{found}\nrun it:      {} run {}/program.ta {} --print=exact {}\n\
         compare it:  COMET_RUN={} cargo test -p comet-harness --test run\nall of it:   COMET_SEED={} COMET_FIRST={number} \
         COMET_CASES={} cargo test -p comet-harness --test random\n",
        options.seed,
        runner.comet.display(),
        folder.display(),
        level(options, number),
        arguments.join(" "),
        folder.display(),
        options.seed,
        kernels.len()
    ))
}
