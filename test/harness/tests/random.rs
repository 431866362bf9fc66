//! Random programs against the oracle. The variables that steer it are in `test/README.md`.

use std::path::PathBuf;
use std::process::ExitCode;

use comet_harness::compiler;
use comet_harness::random::check::Runner;
use comet_harness::random::generate::Shape;
use comet_harness::random::{Options, run};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let all = Trial::test("random_programs_agree_with_the_oracle", || agree(false).map_err(Failed::from));
    let patterns =
        Trial::test("random_applications_agree_with_the_oracle", || agree(true).map_err(Failed::from));
    libtest_mimic::run(&arguments, vec![all, patterns]).exit_code()
}

/// All programs in all ways, or such as are for accelerators as applications of parallel patterns.
fn agree(patterns: bool) -> Result<(), String> {
    let options = options(patterns)?;
    println!("seed {}, cases {} to {}", options.seed, options.first, options.first + options.cases - 1);
    let summary = run(&runner(patterns)?, &options)?;
    let unsupported: u64 = summary.unsupported.values().sum();
    let refused: u64 = summary.refused.values().sum();
    println!("{} agree", summary.agreed);
    println!("{unsupported} are not supported");
    summary.unsupported.iter().for_each(told);
    println!("{refused} have schedules that cannot be carried out");
    summary.refused.iter().for_each(told);
    match summary.failures.is_empty() {
        true => Ok(()),
        false => Err(summary.failures.join("\n")),
    }
}

fn told((reason, count): (&String, &u64)) {
    println!("  {count:>6}  {reason}");
}

fn runner(patterns: bool) -> Result<Runner, String> {
    let under = std::env::var("COMET_UNDER").unwrap_or_default();
    let under = under.split_whitespace().map(str::to_owned).collect();
    Ok(Runner { comet: compiler::locate()?, under, patterns })
}

fn options(patterns: bool) -> Result<Options, String> {
    let temporary = || std::env::temp_dir().join("comet-random");
    Ok(Options {
        cases: number("COMET_CASES", 300)?.max(1),
        first: number("COMET_FIRST", 0)?,
        seed: number("COMET_SEED", 1)?,
        most_failures: number("COMET_FAILURES", 3)?.max(1) as usize,
        allow_unsupported: patterns || number("COMET_ALLOW_UNSUPPORTED", 0)? != 0,
        shape: Shape {
            most_sparse: number("COMET_SPARSE", 3)? as usize,
            sparse_results: number("COMET_SPARSE_RESULTS", 1)? != 0,
            scheduled: number("COMET_SCHEDULED", if patterns { 80 } else { 30 })? as usize,
            patterns,
        },
        folder: std::env::var_os("COMET_KEEP").map_or_else(temporary, PathBuf::from),
    })
}

/// An environment variable that is a number.
fn number(name: &str, default: u64) -> Result<u64, String> {
    match std::env::var(name) {
        Ok(text) => text.parse().map_err(|_| format!("{name}={text} is no number")),
        Err(_) => Ok(default),
    }
}
