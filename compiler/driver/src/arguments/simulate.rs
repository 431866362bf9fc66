//! `comet sim`.

use super::value::{folder, whole};
use super::{CompileArguments, RuntimeArguments, example, memory};
use clap::{Args, ValueEnum};
use comet_runtime::destination::Destination;
use comet_sam::simulate::{MemoryModel, TraceFormat};
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = example(&["comet sim spmv.ta --input 0=matrix.mtx", "comet sim spmv.gv --sam-data tensors --json result.json", "comet sim spmv.scala --input A=matrix.mtx --input x=x.tns --extents y=20"]))]
pub(crate) struct SimArguments {
    /// A program (`.ta`), a graph of the Sparse Abstract Machine (`.gv`, `.dot`) or of Comal (`.bin`), or a
    /// Spatial application (`.scala`), whose input files are in its folder if `--input` does not name them
    pub(crate) source: PathBuf,
    /// The simulated target
    #[arg(long, value_enum)]
    pub(crate) target: Option<SimTarget>,
    /// The folder with a graph's tensors, in SAM's text layout: `tensor_B_mode_0_seg` and so on. For a
    /// program, its graphs and their tensors are written there, in a folder for each run, `graph-0` and so
    /// on, replacing those of an earlier program
    #[arg(long, value_name = "DIR", value_parser = folder())]
    pub(crate) sam_data: Option<PathBuf>,
    /// Scheduling commands, or a file with commands, for the statements that have all labels and tensors in
    /// them
    #[arg(long, value_name = "COMMANDS|FILE")]
    pub(crate) schedule: Option<String>,
    #[command(flatten)]
    pub(crate) runtime: RuntimeArguments,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    #[command(flatten)]
    pub(crate) application: ApplicationArguments,
    /// Let unioners forward empty tokens as coordinates, like SAM's own simulator, instead of dropping them
    #[arg(long)]
    pub(crate) phantom_coordinates: bool,
    /// Limit the number of tokens in a queue; a block waits while its output queue is full
    #[arg(long, value_name = "TOKENS", value_parser = whole(NonZeroUsize::MIN..=NonZeroUsize::MAX), allow_negative_numbers = true)]
    pub(crate) queue_depth: Option<NonZeroUsize>,
    /// Like `--queue-depth`, but only for the queues after skipping scanners, so that these run only a little
    /// ahead of their intersecter; the smaller limit applies
    #[arg(long, value_name = "TOKENS", value_parser = whole(NonZeroUsize::MIN..=NonZeroUsize::MAX), allow_negative_numbers = true)]
    pub(crate) skip_depth: Option<NonZeroUsize>,
    /// Read tiles from a memory of finite size and rate, such as
    /// `dram=68.256GB/s,last-level=17MB,on-chip=2048GB/s,element=32KiB,buffers=2,clock=1GHz`, which is the
    /// default of `--memory` alone: rates of DRAM and of the wires on the chip, sizes of the last-level
    /// buffer and of a buffer of the processing element, which holds a tile, and the number of these buffers
    /// for each operand. `last-level=0` keeps no tile
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = memory::parse, num_args = 0..=1, require_equals = true, default_missing_value = "", conflicts_with = "machine")]
    pub(crate) memory: Option<MemoryModel>,
    /// Simulate the machine that a TOML file describes: latencies, initiation intervals, energy, area and
    /// number of units, queues, DRAM. `--queue-depth` and `--skip-depth` take precedence
    #[arg(long, value_name = "FILE")]
    pub(crate) machine: Option<PathBuf>,
    /// Write cycles, result, streams and blocks to a file as JSON. `-` is standard output, here and for
    /// `--html` and `--trace`; what the program prints goes to standard error then
    #[arg(long, value_name = "PATH")]
    pub(crate) json: Option<Destination>,
    /// Omit the result, which may be large, from the JSON
    #[arg(long, requires = "json")]
    pub(crate) no_result: bool,
    /// End with the parent process, for the runs of `comet sweep`
    #[arg(long, hide = true)]
    pub(crate) end_with_parent: bool,
    /// Report the critical path, the block in which each cycle was spent, in the text and the JSON. The run
    /// takes longer
    #[arg(long)]
    pub(crate) critical_path: bool,
    /// Write an HTML page: the graph, the work of each block, the tokens of each stream and the fill of
    /// queues, in total and over time, and the critical path, of all runs
    #[arg(long, value_name = "PATH")]
    pub(crate) html: Option<Destination>,
    /// Write every token of every stream with its cycle, as a table (`.csv`, and on standard output) or as a
    /// waveform (`.vcd`)
    #[arg(long, value_name = "PATH", value_parser = trace_path)]
    pub(crate) trace: Option<TracePath>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SimTarget {
    /// The Sparse Abstract Machine
    Sam,
    /// A reconfigurable dataflow architecture, programmed in Spatial
    Spatial,
}

#[derive(Debug, Args)]
pub(crate) struct ApplicationArguments {
    /// Write the files of an application to a folder, instead of to standard output
    #[arg(long, value_name = "DIR", value_parser = folder())]
    pub(crate) output: Option<PathBuf>,
    /// The values of `args(0)`, `args(1)` and so on in an application
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) argument: Vec<String>,
    /// Set a parameter of an application's class
    #[arg(long, value_name = "NAME=NUMBER", value_parser = parameter)]
    pub(crate) parameter: Vec<(String, i64)>,
    /// The extents of an application's result
    #[arg(long, value_name = "NAME=N,…", value_parser = extents)]
    pub(crate) extents: Vec<(String, Vec<i64>)>,
    /// Do not run the application: print the prediction of the model of Capstan for it on this data
    #[arg(long)]
    pub(crate) predict: bool,
}

fn parameter(text: &str) -> Result<(String, i64), String> {
    let parsed = text.split_once('=').and_then(|(name, number)| Some((name, number.parse().ok()?)));
    let (name, number) = parsed.ok_or_else(|| format!("found `{text}`, expected `NAME=NUMBER`"))?;
    Ok((name.to_owned(), number))
}

fn extents(text: &str) -> Result<(String, Vec<i64>), String> {
    let natural = |number: &str| number.parse().ok().filter(|extent| *extent >= 0);
    let parsed = text.split_once('=').and_then(|(name, numbers)| {
        Some((name, numbers.split(',').map(natural).collect::<Option<Vec<i64>>>()?))
    });
    let (name, extents) = parsed.ok_or_else(|| format!("found `{text}`, expected `NAME=N,…`"))?;
    Ok((name.to_owned(), extents))
}

/// A file, and the format that its ending asks for.
#[derive(Clone, Debug)]
pub(crate) struct TracePath {
    pub(crate) to: Destination,
    pub(crate) format: TraceFormat,
}

fn trace_path(path: &str) -> Result<TracePath, String> {
    let to = Destination::named(path);
    let format = to.file().map_or(Some(TraceFormat::Csv), TraceFormat::of);
    let format = format
        .ok_or_else(|| format!("the ending of `{path}` is none of a trace, expected `.csv` or `.vcd`"))?;
    Ok(TracePath { to, format })
}
