//! The command line's grammar.

mod build;
mod data;
mod expr;
pub(crate) mod generate;
mod memory;

pub(crate) mod reorder;
mod runtime;
mod simulate;
mod sweep;
mod tile;
mod tune;
mod value;

pub(crate) use build::{
    BuildArguments, CompileArguments, EmitKind, InstrumentKind, ProgramArguments, RunArguments,
};
pub(crate) use data::{CacheArguments, CompletionsArguments, FormatArguments, InfoArguments};
pub(crate) use expr::{ExprArguments, ExprTarget};
pub(crate) use runtime::RuntimeArguments;
pub(crate) use simulate::TracePath;
pub(crate) use simulate::{SimArguments, SimTarget};
pub(crate) use sweep::SweepArguments;
pub(crate) use tile::TileArguments;
pub(crate) use tune::TuneArguments;

use clap::{Parser, Subcommand};
use comet_diag::Form;
use generate::GenerateArguments;
use reorder::ReorderArguments;
use std::ffi::OsString;
use std::sync::LazyLock;
use value::{Words, meaning, word};

/// Compiles sparse tensor algebra.
#[derive(Debug, Parser)]
#[command(name = "comet", version = version(), args_override_self = true, arg_required_else_help = true, max_term_width = 110)]
pub(crate) struct Cli {
    /// Report more on standard error; twice and three times even more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    /// How messages on standard error are written; `json` writes an object a line
    #[arg(long, global = true, value_name = "FORM", default_value = "human", value_parser = word(FORMS))]
    pub(crate) message_format: Form,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compile a program in memory and run it
    Run(RunArguments),
    /// Compile a program to an executable, or to any stage on the way
    Build(BuildArguments),
    /// Format programs
    Fmt(FormatArguments),
    /// Generate a sparse matrix or tensor
    Gen(GenerateArguments),
    /// Show a file's extents, its number of nonzeros, and its size in each format
    Info(InfoArguments),
    /// Reorder a matrix or tensor, so that its entries lie closer together
    ///
    /// Prints measures of the order before and after, and predicts whether the new one pays. The bandwidth is
    /// the largest |row - column|, the mean gap the distance of neighbours in a row. Far accesses are those
    /// of vector elements whose cache line was used for none of the 4096 entries before, uneven fibers those
    /// rows that have another number of entries than the one before. An entry costs 1, 2 more for a far
    /// access and 12 for an uneven row: the new order pays where that falls by a tenth. The imbalance is the
    /// entries in the fullest of 16 parts of the first mode, over the mean.
    Reorder(ReorderArguments),
    /// Show the compile cache: where it is, and how much space it takes
    ///
    /// `comet run`, `comet expr` and `comet build` find it there when the same program is compiled again.
    /// The folder is `COMET_CACHE_DIR`, or `comet` in `XDG_CACHE_HOME` or in `~/.cache`. What was not used
    /// for the longest time goes where all of it takes more than 256 MiB, or than `COMET_CACHE_SIZE` says.
    Cache(CacheArguments),
    /// Print a shell's completions
    Completions(CompletionsArguments),
    /// Compile and run an expression in TACO's notation
    Expr(ExprArguments),
    /// Simulate a dataflow graph, token by token
    Sim(Box<SimArguments>),
    /// Simulate a program or graph over a design space: schedules, depths of queues, memories, inputs
    ///
    /// Each combination of the values of all axes is a run of `comet sim`, in a process of its own, and a row
    /// of a table of comma-separated values. Rows are written as runs end, and a run that fails is a row with
    /// its message; a sweep that was ended goes on from its table. The Pareto front of cycles and a cost goes
    /// to standard output.
    Sweep(SweepArguments),
    /// Choose tiles from the data that a program reads, and compare them with those of other schemes
    ///
    /// The tiles are those that `tile(i: 64, k: 32)` in a schedule makes. Standard output has them as a
    /// schedule. Standard error has, for each scheme, the bytes that tiles are expected to move and that they
    /// move: inputs are loaded once for each iteration that needs them, results of every iteration are
    /// written, and values, coordinates and positions are counted.
    Tile(TileArguments),
    /// Measure schedules of a program on given inputs, and print the fastest one
    ///
    /// What is measured is the time of the statements that compute, without reading. The schedule on standard
    /// output is what `--schedule` of `comet run` and `comet build` takes; it is empty where the program as
    /// it is was the fastest, or nothing was faster by more than the times vary. All candidates with their
    /// times are reported on standard error.
    Tune(TuneArguments),
}

/// How messages are written.
const FORMS: Words<Form> = &[("human", Form::Human), ("short", Form::Short), ("json", Form::Json)];

/// Parses the command line; help, version and errors come back as clap's error.
pub(crate) fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(arguments)
}

/// The form of messages that a command line asks for, also where it cannot be parsed.
pub(crate) fn asked_format(arguments: &[OsString]) -> Form {
    const FLAG: &str = "--message-format";
    let flags = arguments.iter().map(|argument| argument.to_string_lossy()).take_while(|flag| flag != "--");
    let mut asked = Form::Human;
    let mut is_value = false;
    for flag in flags {
        let value = if is_value {
            Some(&*flag)
        } else {
            flag.strip_prefix(FLAG).and_then(|rest| rest.strip_prefix('='))
        };
        asked = value.and_then(|value| meaning(FORMS, value)).unwrap_or(asked);
        is_value = flag == FLAG;
    }
    asked
}

/// `0.1.0 (LLVM 22.1.8)`.
pub(crate) fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        format!("{} (LLVM {})", env!("CARGO_PKG_VERSION"), comet_backend_cpu::native::llvm_version())
    });
    &VERSION
}

/// The last part of a subcommand's help.
fn example(lines: &[&str]) -> String {
    let heading = if lines.len() == 1 { "Example:" } else { "Examples:" };
    lines.iter().fold(heading.to_owned(), |text, line| text + "\n  " + line)
}
