//! `comet sweep`.

use super::example;
use super::value::whole;
use crate::sweep::axis::{self, Axis};
use crate::sweep::counts::ColumnCost;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = example(&[
    "comet sweep spmm.ta --input A=a.mtx --orders o=i,j,k --schedule 'order({o})' -o sweep.csv",
    "comet sweep spmm.ta --input A=a.mtx --axis 'd=1|4|16' --queue-depth '{d}' -o depths.csv",
]))]
pub(crate) struct SweepArguments {
    /// What is simulated: a program (`.ta`) or a graph of the Sparse Abstract Machine (`.gv`)
    pub(crate) source: PathBuf,
    /// Values that `{NAME}` has in the flags of the simulator, one in each run. All combinations of the
    /// values of all axes are run
    #[arg(long = "axis", value_name = "NAME=V1|V2|…", value_parser = axis::parse)]
    pub(crate) axes: Vec<Axis>,
    /// An axis of all orders of some labels: `o=i,j,k` has the values `i, j, k`, `i, k, j` and so on
    #[arg(long, value_name = "NAME=i,j,…", value_parser = axis::parse_orders)]
    pub(crate) orders: Vec<Axis>,
    #[command(flatten)]
    pub(crate) simulator: SimulatorFlags,
    /// The table, one row for each run. Runs that an earlier `comet sweep` has left there are not run again
    #[arg(short, long, value_name = "FILE.csv")]
    pub(crate) output: PathBuf,
    /// Begin anew, whatever the table holds
    #[arg(long)]
    pub(crate) restart: bool,
    /// Draw cycles against cost, with the Pareto front: the runs that no other one beats in both
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) svg: Option<PathBuf>,
    /// What runs cost, beside their cycles
    #[arg(long, value_name = "WHAT", default_value = "blocks")]
    pub(crate) cost: ColumnCost,
    /// How many runs go on at once; by default as many as there are cores
    #[arg(short, long, value_name = "N", value_parser = whole(1..=1024_u32), allow_negative_numbers = true)]
    pub(crate) jobs: Option<u32>,
    /// End a run that takes longer
    #[arg(long, value_name = "SECONDS", value_parser = whole(1..=u32::MAX), allow_negative_numbers = true)]
    pub(crate) timeout: Option<u32>,
}

/// What each run's `comet sim` is given, with `{NAME}` in place of the values of axes.
#[derive(Debug, Args)]
pub(crate) struct SimulatorFlags {
    /// As for `comet sim`
    #[arg(long, value_name = "k=PATH|NAME=PATH")]
    pub(crate) input: Vec<String>,
    /// As for `comet sim`: scheduling commands, or a file with some, in which `{NAME}` is replaced, too
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
