//! `comet tune`.

use super::value::{extent, whole};
use super::{CompileArguments, RuntimeArguments, example};
use clap::Args;
use comet_runtime::destination::Destination;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = example(&[
    "comet tune spmm.ta --input A=a.mtx --candidates 6 --rounds 3 -o schedule.txt",
    "comet tune kernels.ta --input A=a.mtx --extent j=64",
    "comet run spmm.ta --input A=a.mtx --schedule \"$(comet tune spmm.ta --input A=a.mtx)\"",
]))]
pub(crate) struct TuneArguments {
    /// The program, a `.ta` file; of one without `main`, the functions of tensors are measured, each on the
    /// files that `--input` names for its sparse parameters
    pub(crate) source: PathBuf,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    #[command(flatten)]
    pub(crate) runtime: RuntimeArguments,
    /// In a file without `main`, the extent of a label that no input states; 32 by default
    #[arg(long = "extent", value_name = "LABEL=N", value_parser = extent)]
    pub(crate) extents: Vec<(String, u64)>,
    /// The number of final measurements of each of the fastest schedules, in turns
    #[arg(long, value_name = "N", default_value = "9", value_parser = whole(1..=u32::MAX), allow_negative_numbers = true)]
    pub(crate) rounds: u32,
    /// The maximum number of schedules to run, beside the unchanged program
    #[arg(long, value_name = "N", default_value = "32", value_parser = whole(1..=u32::MAX), allow_negative_numbers = true)]
    pub(crate) candidates: u32,
    /// Write all candidates with their times as JSON. `-` is standard output; the schedule is printed on
    /// standard error then
    #[arg(long, value_name = "PATH")]
    pub(crate) json: Option<Destination>,
    /// Where to write the schedule, instead of standard output
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<Destination>,
    /// Compile and run the requests on standard input, for the measuring process
    #[arg(long, hide = true)]
    pub(crate) worker: bool,
}
