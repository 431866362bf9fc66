//! Measures comet next to its peers: one file a benchmark, one table of ratios a run. `README.md` says how
//! and why so.

mod ablation;
mod agree;
mod capstan;
mod cases;
mod data;
mod distributed;
mod figures;
mod kernels;
mod latency;
mod peers;
mod random;
mod read;
mod report;
mod run;
mod sam;
mod setting;
mod text;
mod tiling;
mod timing;
mod workspace;

use ablation::AblationArguments;
use capstan::CapstanArguments;
use cases::CasesArguments;
use clap::{Parser, Subcommand};
use distributed::DistributedArguments;
use figures::FiguresArguments;
use kernels::KernelArguments;
use latency::LatencyArguments;
use random::RandomArguments;
use read::ReadArguments;
use report::Report;
use run::RunArguments;
use run::sweep::SweepArguments;
use sam::SamArguments;
use setting::{Outcome, Setting, SettingArguments};
use std::path::PathBuf;
use std::process::ExitCode;
use workspace::WorkspaceArguments;

/// Measures comet next to its peers, and prints ratios of times taken in one run.
#[derive(Debug, Parser)]
#[command(name = "comet-bench", arg_required_else_help = true, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    bench: Bench,
    #[command(flatten)]
    setting: SettingArguments,
    /// Also write the table as JSON
    #[arg(long, global = true, value_name = "PATH")]
    json: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Bench {
    /// Expressions that are lost when a dataflow machine lacks a primitive
    Ablation(AblationArguments),
    /// The model of Capstan, and the tables of Stardust's paper
    Capstan(CapstanArguments),
    /// Loops and results in any order, and SciPy and schedules of our own
    Cases(CasesArguments),
    /// Several processes of MPI, and PETSc and CombBLAS; simulated clusters; how traffic grows
    Distributed(DistributedArguments),
    /// The figures of the papers about the Sparse Abstract Machine and about tiles
    Figures(FiguresArguments),
    /// Generated kernels and the same loops in C
    Kernels(KernelArguments),
    /// From a program's text to the first instruction of its kernel
    Latency(LatencyArguments),
    /// Random expressions and the same loops in C
    Random(RandomArguments),
    /// Reading Matrix Market files into CSR, and SciPy
    Read(ReadArguments),
    /// The kernels that have goals, and hand-written C, SciPy, numba, MKL, Eigen, GraphBLAS and MLIR's
    /// sparsifier
    Run(RunArguments),
    /// The simulator of dataflow graphs
    Sam(SamArguments),
    /// All matrices and tensors of a folder, and C loops or TACO, as they are and reordered
    Sweep(SweepArguments),
    /// Tiles chosen from data, and other schemes
    Tiling(tiling::TilingArguments),
    /// Costs of dense, hash and list workspaces, as a model predicts them and as they are counted
    Workspace(WorkspaceArguments),
}

fn main() -> ExitCode {
    match measured(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measured(cli: &Cli) -> Outcome<()> {
    let setting = || Setting::new(&cli.setting, 7);
    let report = |report: Report| (report.text(), report.json());
    let mut complete = Ok(());
    let (text, json) = match &cli.bench {
        Bench::Cases(arguments) => report(cases::run(&setting()?, arguments)?),
        Bench::Capstan(arguments) => {
            let modelled = capstan::run(&setting()?, arguments)?;
            (modelled.text(), modelled.json())
        }
        Bench::Ablation(arguments) => {
            let losses = ablation::run(&setting()?, arguments)?;
            (losses.text(), losses.json())
        }
        Bench::Distributed(arguments) => distributed::run(&setting()?, arguments)?,
        Bench::Figures(arguments) => {
            let figures = figures::run(&setting()?, arguments)?;
            (figures.text(), figures.json())
        }
        Bench::Kernels(arguments) => report(kernels::run(&setting()?, arguments)?),
        Bench::Latency(arguments) => report(latency::run(&setting()?, arguments)?),
        Bench::Random(arguments) => report(random::run(&setting()?, arguments)?),
        Bench::Read(arguments) => report(read::run(&setting()?, arguments)?),
        Bench::Run(arguments) => {
            let table = run::run(&Setting::new(&cli.setting, 10)?, arguments)?;
            complete = table.complete();
            (table.text(), table.json())
        }
        Bench::Sam(arguments) => report(sam::run(&setting()?, arguments)?),
        Bench::Sweep(arguments) => {
            let sweep = run::sweep::run(&setting()?, arguments)?;
            (sweep.text(), sweep.json())
        }
        Bench::Tiling(arguments) => {
            let tilings = tiling::run(&setting()?, arguments)?;
            (tilings.text(), tilings.json())
        }
        Bench::Workspace(arguments) => {
            let costs = workspace::run(&setting()?, arguments)?;
            (costs.text(), costs.json())
        }
    };
    print!("{text}");
    if let Some(path) = &cli.json {
        setting::write(path, format!("{json:#}\n"))?;
    }
    complete
}
