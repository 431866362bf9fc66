//! `comet sweep`.

use super::example;
use super::value::{place, whole};
use crate::sweep::axis::{self, Axis};
use crate::sweep::counts::ColumnCost;
use clap::Args;
use comet_runtime::destination::Destination;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = example(&[
    "comet sweep spmm.ta --input A=a.mtx --orders o=i,j,k --schedule 'order({o})' -o sweep.csv",
    "comet sweep spmm.ta --input A=a.mtx --axis 'd=1|4|16' --queue-depth '{d}' -o depths.csv",
]))]
pub(crate) struct SweepArguments {
    /// The program (`.ta`) or graph of the Sparse Abstract Machine (`.gv`) to simulate
    pub(crate) source: PathBuf,
    /// The values of `{NAME}` in the flags of the simulator. Every combination of the values of all axes is a
    /// run
    #[arg(long = "axis", value_name = "NAME=V1|V2|…", value_parser = axis::parse)]
    pub(crate) axes: Vec<Axis>,
    /// An axis of all orders of some labels: `o=i,j,k` has the values `i, j, k`, `i, k, j` and so on
    #[arg(long, value_name = "NAME=i,j,…", value_parser = axis::parse_orders)]
    pub(crate) orders: Vec<Axis>,
    #[command(flatten)]
    pub(crate) simulator: SimulatorFlags,
    /// The table, with one row for each run. Runs that it already has are not repeated
    #[arg(short, long, value_name = "FILE.csv", value_parser = place("an interrupted sweep continues from its table"))]
    pub(crate) output: PathBuf,
    /// Ignore the existing table, and start from scratch
    #[arg(long)]
    pub(crate) restart: bool,
    /// Draw cycles against cost, with the Pareto front: the runs that no other run beats in both. `-` is
    /// standard output; the front is printed on standard error then
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) svg: Option<Destination>,
    /// The cost of a run, beside its cycles
    #[arg(long, value_name = "WHAT", default_value = "blocks")]
    pub(crate) cost: ColumnCost,
    /// The number of concurrent runs; default the number of cores
    #[arg(short, long, value_name = "N", value_parser = whole(1..=1024_u32), allow_negative_numbers = true)]
    pub(crate) jobs: Option<u32>,
    /// Stop a run that takes longer
    #[arg(long, value_name = "SECONDS", value_parser = whole(1..=u32::MAX), allow_negative_numbers = true)]
    pub(crate) timeout: Option<u32>,
}

/// What each run's `comet sim` is given, with `{NAME}` in place of the values of axes.
#[derive(Debug, Args)]
pub(crate) struct SimulatorFlags {
    /// As for `comet sim`
    #[arg(long, value_name = "k=PATH|NAME=PATH")]
    pub(crate) input: Vec<String>,
    /// As for `comet sim`: scheduling commands, or a file with commands, in which `{NAME}` is replaced, too
    #[arg(long, value_name = "COMMANDS|FILE")]
    pub(crate) schedule: Option<String>,
    /// As for `comet sim`
    #[arg(long, value_name = "TOKENS")]
    pub(crate) queue_depth: Option<String>,
    /// As for `comet sim`
    #[arg(long, value_name = "TOKENS")]
    pub(crate) skip_depth: Option<String>,
    /// As for `comet sim`
    #[arg(long, value_name = "KEY=VALUE,…", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) memory: Option<String>,
    /// Any other flags of `comet sim`
    #[arg(last = true, value_name = "FLAGS OF SIM")]
    pub(crate) others: Vec<String>,
}

impl SimulatorFlags {
    /// As `comet sim` takes them, with the commands of the schedule.
    pub(crate) fn arguments(&self, schedule: Option<&str>) -> Vec<String> {
        let named = [
            ("--schedule", schedule),
            ("--queue-depth", self.queue_depth.as_deref()),
            ("--skip-depth", self.skip_depth.as_deref()),
            ("--memory", self.memory.as_deref()),
        ];
        let named = named.into_iter().filter_map(|(flag, value)| Some((flag, value?)));
        let given = self.input.iter().map(|input| ("--input", input.as_str())).chain(named);
        given.map(|(flag, value)| format!("{flag}={value}")).chain(self.others.iter().cloned()).collect()
    }
}
