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
    BuildArguments, CompileArguments, EmitKind, InstrumentKind, PartitionKind, ProgramArguments, RunArguments,
};
pub(crate) use data::{CacheArguments, CompletionsArguments, FormatArguments, InfoArguments};
pub(crate) use expr::{ExprArguments, ExprTarget, TacoArguments};
pub(crate) use runtime::RuntimeArguments;
pub(crate) use simulate::{ApplicationArguments, SimArguments, SimTarget, TracePath};
pub(crate) use sweep::SweepArguments;
pub(crate) use tile::TileArguments;
pub(crate) use tune::TuneArguments;

use clap::error::ErrorKind;
use clap::parser::{RawValues, ValueSource};
use clap::{Arg, ArgMatches, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
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
    /// Report more on standard error; repeat it up to three times for more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    /// The format of messages on standard error; `json` writes one object per line
    #[arg(long, global = true, value_name = "FORM", default_value = "human", value_parser = word(FORMS))]
    pub(crate) message_format: Form,
    #[command(subcommand)]
    pub(crate) command: CliCommand,
    /// The flags of the subcommand that the command line has, as they are written.
    #[arg(skip)]
    pub(crate) given: Vec<String>,
    /// What is reported of flags that have no effect.
    #[arg(skip)]
    pub(crate) notes: Vec<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    /// Compile a program in memory and run it
    Run(RunArguments),
    /// Compile a program to an executable, a library, or any intermediate form
    Build(BuildArguments),
    /// Format programs
    Fmt(FormatArguments),
    /// Generate a sparse matrix or tensor
    Gen(GenerateArguments),
    /// Show the extents of a file, its number of entries, and its size in each format
    Info(InfoArguments),
    /// Reorder a matrix or tensor, so that its entries lie closer together
    ///
    /// Prints measures of the order before and after, and predicts whether the new one pays. The bandwidth is
    /// the largest |row - column|, the mean gap the mean distance of neighbours in a row. A far access is to
    /// a vector element whose cache line was used for none of the 4096 entries before; a row is uneven if its
    /// number of entries differs from that of the row before. An entry costs 1, plus 2 for a far access and
    /// 12 for an uneven row: the new order pays if that falls by a tenth. The imbalance is the number of
    /// entries in the fullest of 16 parts of the first mode, over the mean.
    Reorder(ReorderArguments),
    /// Show the compile cache: where it is, and how much space it takes
    ///
    /// `comet run`, `comet expr` and `comet build` keep compiled code there, and reuse it when the same
    /// program is compiled again. The folder is `COMET_CACHE_DIR`, or `comet` in `XDG_CACHE_HOME` or in
    /// `~/.cache`. The least recently used entries are removed when the cache exceeds 256 MiB, or
    /// `COMET_CACHE_SIZE`.
    Cache(CacheArguments),
    /// Print completions for a shell
    Completions(CompletionsArguments),
    /// Compile and run an expression in TACO's notation
    Expr(ExprArguments),
    /// Simulate a dataflow graph, token by token
    Sim(Box<SimArguments>),
    /// Simulate a program or graph over a design space of schedules, queue depths, memories and inputs
    ///
    /// Each combination of the values of all axes is a run of `comet sim`, in a separate process, and a row
    /// of a table of comma-separated values. Rows are written as runs end, and a run that fails becomes a row
    /// with its message; an interrupted sweep resumes from its table. The Pareto front of cycles and cost is
    /// printed on standard output.
    Sweep(SweepArguments),
    /// Choose tiles from the data that a program reads, and compare them with other schemes
    ///
    /// The tiles are printed on standard output as a schedule such as `tile(i: 64, k: 32)`. Standard error
    /// reports the expected and the counted traffic of each scheme in bytes: inputs are loaded once for each
    /// iteration that needs them, results of every iteration are written, and values, coordinates and
    /// positions are counted.
    Tile(TileArguments),
    /// Measure schedules of a program on given inputs, and print the fastest one
    ///
    /// The measured time is that of the statements that compute, without reading. The schedule is printed on
    /// standard output in the form that `--schedule` of `comet run` and `comet build` accepts; it is empty if
    /// no candidate was faster than the unchanged program by more than the times vary. Standard error reports
    /// all candidates with their times.
    Tune(TuneArguments),
}

/// How messages are written.
const FORMS: Words<Form> = &[("human", Form::Human), ("short", Form::Short), ("json", Form::Json)];

/// Parses the command line; help, version and errors come back as clap's error.
pub(crate) fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let mut command = Cli::command();
    let TacoArguments { arguments, notes, error } = match subcommand_of(&command, arguments) {
        Some(name) if name == "expr" => TacoArguments::of(arguments),
        _ => TacoArguments { arguments: arguments.to_vec(), ..TacoArguments::default() },
    };
    if let Some(error) = error {
        return Err(command.error(ErrorKind::UnknownArgument, error));
    }
    let matches = command.try_get_matches_from_mut(arguments)?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    let subcommand = matches.subcommand().zip(matches.subcommand_name());
    let given = subcommand.map(|((_, matches), name)| given(command.find_subcommand(name), matches));
    Ok(Cli { given: given.unwrap_or_default(), notes, ..cli })
}

/// The subcommand that a command line names, behind the flags for all of them and the values of these.
fn subcommand_of<'a>(command: &clap::Command, arguments: &'a [OsString]) -> Option<&'a OsString> {
    let has_value = |text: &OsString| {
        let mut flags = command.get_arguments();
        flags.any(|known| known.get_action().takes_values() && *text == *flag(known))
    };
    let mut is_value = false;
    arguments.iter().skip(1).find(|argument| {
        let is_other = !is_value && !argument.as_encoded_bytes().starts_with(b"-");
        is_value = has_value(argument);
        is_other
    })
}

/// The flags that say something else than without them.
fn given(command: Option<&clap::Command>, matches: &ArgMatches) -> Vec<String> {
    let is_given = |argument: &&Arg| {
        let id = argument.get_id().as_str();
        let is_default = |values: RawValues<'_>| {
            values.eq(argument.get_default_values().iter().map(clap::builder::OsStr::as_os_str))
        };
        matches.value_source(id) == Some(ValueSource::CommandLine)
            && !matches.get_raw(id).is_some_and(is_default)
    };
    command.into_iter().flat_map(clap::Command::get_arguments).filter(is_given).map(flag).collect()
}

/// The flags of some arguments, as they are written.
pub(crate) fn flags_of<A: Args>() -> Vec<String> {
    A::augment_args(clap::Command::new("")).get_arguments().map(flag).collect()
}

fn flag(argument: &Arg) -> String {
    match (argument.get_long(), argument.get_short()) {
        (None, Some(short)) => format!("-{short}"),
        (long, _) => format!("--{}", long.unwrap_or_default()),
    }
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

/// `0.2.0 (LLVM 22.1.8)`.
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
