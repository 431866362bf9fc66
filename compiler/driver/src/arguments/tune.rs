//! `comet tune`.

use super::value::whole;
use super::{CompileArguments, RuntimeArguments, example};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = example(&[
    "comet tune spmm.ta --input A=a.mtx --candidates 6 --rounds 3 -o schedule.txt",
    "comet run spmm.ta --input A=a.mtx --schedule \"$(comet tune spmm.ta --input A=a.mtx)\"",
]))]
pub(crate) struct TuneArguments {
    /// The program, a `.ta` file
    pub(crate) source: PathBuf,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    #[command(flatten)]
    pub(crate) runtime: RuntimeArguments,
    /// How often each of the fastest schedules is measured at last, in turns
    #[arg(long, value_name = "N", default_value = "9", value_parser = whole(1..=u32::MAX), allow_negative_numbers = true)]
    pub(crate) rounds: u32,
    /// How many schedules are run at most, beside the program as it is
    #[arg(long, value_name = "N", default_value = "32", value_parser = whole(1..=u32::MAX), allow_negative_numbers = true)]
    pub(crate) candidates: u32,
    /// Write all candidates with their times as JSON
    #[arg(long, value_name = "PATH")]
    pub(crate) json: Option<PathBuf>,
    /// Where to write the schedule, instead of standard output
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// Compile and run what is asked for on standard input, for the process that measures
    #[arg(long, hide = true)]
    pub(crate) worker: bool,
}
