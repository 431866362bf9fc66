//! `distributed`: programs on several processes of MPI, next to PETSc and CombBLAS; simulated on up to 64
//! processes; and by how much their traffic grows on up to 10⁴.

mod growth;
mod inputs;
mod operations;
mod processes;
mod simulation;
mod turns;

use crate::setting::{Outcome, Setting};
use clap::Args;
use serde_json::Value;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct DistributedArguments {
    /// The matrices: names of the table of `run`, or files; by default six of the table
    #[arg(value_name = "NAME|FILE")]
    matrices: Vec<String>,
    /// Only the operations whose name holds this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Simulate a cluster by SimGrid, and measure nothing
    #[arg(long, conflicts_with = "growth")]
    simulate: bool,
    /// Compute how traffic grows with the number of processes, and run nothing
    #[arg(long)]
    growth: bool,
    /// The numbers of processes that are simulated or computed
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    processes: Vec<u32>,
    /// The platform of the simulation, with hosts node-0, node-1, …
    #[arg(long, value_name = "FILE", requires = "simulate")]
    platform: Option<PathBuf>,
}

impl DistributedArguments {
    /// The chosen numbers of processes, or these.
    fn processes_or(&self, default: &[u32]) -> Vec<u32> {
        if self.processes.is_empty() { default.to_vec() } else { self.processes.clone() }
    }
}

/// Returns the table for reading, and for programs.
pub(crate) fn run(setting: &Setting, arguments: &DistributedArguments) -> Outcome<(String, Value)> {
    if arguments.growth {
        let growth = growth::run(setting, arguments)?;
        return Ok((growth.text(), growth.json()));
    }
    if arguments.simulate {
        let speedups = simulation::run(setting, arguments)?;
        return Ok((speedups.text(), speedups.json()));
    }
    let report = turns::run(setting, arguments)?;
    Ok((report.text(), report.json()))
}
