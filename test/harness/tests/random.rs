//! Random programs against the oracle. The variables that steer it are in `test/README.md`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use comet_harness::compiler;
use comet_harness::random::check::Runner;
use comet_harness::random::focus::Focus;
use comet_harness::random::generate::Shape;
use comet_harness::random::kernel::Kernel;
use comet_harness::random::{Kernels, Options, control, function_formats, label_patterns, run, sequences};
use libtest_mimic::{Arguments, Failed, Trial};

/// Which programs are drawn, and how they are run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// All programs in all ways.
    All,
    /// Such as are for accelerators, as applications of parallel patterns.
    Patterns,
    /// With formats that pad, and the same with others in their place.
    Padded,
    /// Accesses of that rank with repeated labels, into sparse results.
    LabelPatterns(usize),
    /// Every function in many formats, under masks.
    Functions,
    /// Complex values, on the processor.
    Complex,
    /// Labels that repeat in accesses, with schedules of every machine, in all ways.
    Repeated,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trial = |name: &str, kind| Trial::test(name, move || agree(kind).map_err(Failed::from));
    let trials = vec![
        trial("random_programs_agree_with_the_oracle", Kind::All),
        trial("random_applications_agree_with_the_oracle", Kind::Patterns),
        trial("random_formats_do_not_change_a_result", Kind::Padded),
        trial("repeated_labels_of_rank_3_agree_with_the_oracle", Kind::LabelPatterns(3)),
        trial("functions_in_all_formats_agree_with_the_oracle", Kind::Functions),
        trial("random_complex_programs_agree_with_the_oracle", Kind::Complex),
        trial("random_repeated_labels_agree_with_the_oracle", Kind::Repeated),
        trial("repeated_labels_of_rank_4_agree_with_the_oracle", Kind::LabelPatterns(4)),
    ];
    let control = || numbered(40, control::check).map_err(Failed::from);
    let sequences = || {
        let ranks = ranks()?;
        numbered(150, |comet, seed, number| sequences::check(comet, ranks, seed, number))
            .map_err(Failed::from)
    };
    let trials = trials.into_iter().chain([
        Trial::test("random_control_flow_agrees_with_the_oracle", control),
        Trial::test("random_sequences_agree_with_the_oracle", sequences),
    ]);
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// Runs programs that are drawn as a text.
fn numbered(cases: u64, check: impl Fn(&Path, u64, u64) -> Result<(), String>) -> Result<(), String> {
    let (cases, first) = (number("COMET_CASES", cases)?, number("COMET_FIRST", 0)?);
    let (comet, seed) = (compiler::locate()?, number("COMET_SEED", 1)?);
    (first..first.saturating_add(cases)).try_for_each(|number| check(&comet, seed, number))
}

fn agree(kind: Kind) -> Result<(), String> {
    let options = options(kind)?;
    println!(
        "seed {}, cases {} to {}",
        options.seed,
        options.first,
        options.first.saturating_add(options.cases) - 1
    );
    let summary = run(&runner(kind)?, &options)?;
    let unsupported: u64 = summary.unsupported.values().sum();
    let refused: u64 = summary.refused.values().sum();
    println!("{} agree", summary.agreed);
    println!("{unsupported} are not supported");
    summary.unsupported.iter().for_each(print_reason);
    println!("{refused} have schedules that cannot be carried out");
    summary.refused.iter().for_each(print_reason);
    match summary.failures.is_empty() {
        true => Ok(()),
        false => Err(summary.failures.join("\n")),
    }
}

fn print_reason((reason, count): (&String, &u64)) {
    println!("  {count:>6}  {reason}");
}

fn runner(kind: Kind) -> Result<Runner, String> {
    let under = std::env::var("COMET_UNDER").unwrap_or_default();
    let under = under.split_whitespace().map(str::to_owned).collect();
    Ok(Runner {
        comet: compiler::locate()?,
        under,
        patterns: kind == Kind::Patterns,
        processor: kind == Kind::Complex,
        twins: kind == Kind::Padded,
        ranks: ranks()?,
    })
}

/// The processes that programs are run on, where there are several.
fn ranks() -> Result<Option<u64>, String> {
    Ok(Some(number("COMET_RANKS", 0)?).filter(|ranks| *ranks > 0))
}

fn options(kind: Kind) -> Result<Options, String> {
    let temporary = || std::env::temp_dir().join("comet-random");
    let (cases, scheduled) = match kind {
        Kind::All => (200, 30),
        Kind::Patterns => (300, 80),
        Kind::Padded => (60, 0),
        Kind::Complex => (100, 30),
        Kind::Repeated => (60, 80),
        Kind::LabelPatterns(_) | Kind::Functions => (u64::MAX, 0),
    };
    Ok(Options {
        cases: number("COMET_CASES", cases)?.max(1),
        first: number("COMET_FIRST", 0)?,
        seed: number("COMET_SEED", 1)?,
        most_failures: number("COMET_FAILURES", 3)?.max(1) as usize,
        allow_unsupported: matches!(kind, Kind::Patterns | Kind::Repeated)
            || number("COMET_ALLOW_UNSUPPORTED", 0)? != 0,
        kernels: match kind {
            Kind::LabelPatterns(rank) => Kernels::Listed(repeated_labels(rank)),
            Kind::Functions => Kernels::Listed(functions()),
            _ => Kernels::Random(Shape {
                most_sparse: number("COMET_SPARSE", 3)? as usize,
                sparse_results: number("COMET_SPARSE_RESULTS", 1)? != 0,
                scheduled: number("COMET_SCHEDULED", scheduled)? as usize,
                patterns: kind == Kind::Patterns,
                padded: kind == Kind::Padded,
                complex: kind == Kind::Complex,
                repeats: kind == Kind::Repeated,
                focus: focus(kind)?,
            }),
        },
        folder: std::env::var_os("COMET_KEEP").map_or_else(temporary, PathBuf::from),
    })
}

/// What all kernels of the run have in common.
fn focus(kind: Kind) -> Result<Focus, String> {
    let [element, function] = ["COMET_ELEMENT", "COMET_FUNCTION"].map(|name| std::env::var(name).ok());
    Focus::named(element.as_deref(), function.as_deref(), kind == Kind::Complex)
}

/// One of so many, with `COMET_LONG=1` all. Both numbers are primes, so that every format takes its turn.
fn repeated_labels(rank: usize) -> Vec<Kernel> {
    let step = match rank {
        _ if comet_harness::is_long() => 1,
        3 => 41,
        _ => 97,
    };
    label_patterns::kernels(rank).into_iter().step_by(step).collect()
}

/// One of so many, with `COMET_LONG=1` all; the number is a prime, so that every format takes its turn.
fn functions() -> Vec<Kernel> {
    let step = if comet_harness::is_long() { 1 } else { 47 };
    function_formats::kernels().into_iter().step_by(step).collect()
}

/// An environment variable that is a number.
fn number(name: &str, default: u64) -> Result<u64, String> {
    match std::env::var(name) {
        Ok(text) => text.parse().map_err(|_| format!("{name}={text} is no number")),
        Err(_) => Ok(default),
    }
}
