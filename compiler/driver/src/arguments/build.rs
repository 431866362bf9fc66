//! `comet build` and `comet run`.

use super::value::{Words, meaning, whole, word};
use super::{RuntimeArguments, example, reorder};
use crate::library::cxx::{Namespace, parse_namespace};
use clap::{Args, ValueEnum};
use comet_abi::reorder::Method;
use comet_backend_cpu::native::Optimization;
use comet_backend_sam::Dialect;
use comet_runtime::destination::Destination;
use comet_sam::picture::FlowDirection;
use std::path::PathBuf;

/// What `comet build` and `comet run` take.
#[derive(Debug, Args)]
pub(crate) struct ProgramArguments {
    /// The program, a `.ta` file
    pub(crate) source: PathBuf,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    /// Scheduling commands, or a file with commands, for the statements that have all labels and tensors in
    /// them; or `C { commands }` for those that assign to `C`
    #[arg(long, value_name = "COMMANDS|FILE")]
    pub(crate) schedule: Option<String>,
}

/// How a program is compiled, whatever it is written in.
#[derive(Debug, Args)]
pub(crate) struct CompileArguments {
    /// The optimization level, 0 to 3
    #[arg(short = 'O', value_name = "LEVEL", default_value = "3", value_parser = parse_optimization, hide_default_value = true, allow_negative_numbers = true)]
    pub(crate) optimization: Optimization,
    /// The processor to generate code for, by LLVM's name; `native` is the processor of this machine. For the
    /// kernels of a library several, separated by commas: the one that they run on is chosen when they run
    #[arg(long, value_name = "NAME", default_value = "native")]
    pub(crate) target_cpu: String,
    /// Print automatic decisions on standard error, each with its place and reason
    #[arg(long)]
    pub(crate) explain: bool,
    /// Always contract dense tensors by loops, never as products of matrices
    #[arg(long)]
    pub(crate) no_gemm: bool,
    /// Add floating-point numbers in the order of the loops, rounding after each operation; slower
    #[arg(long)]
    pub(crate) ordered_sums: bool,
    /// In dataflow graphs, multiply some factors of a product first, by a separate graph, where that is far
    /// less work; native code always does
    #[arg(long)]
    pub(crate) auto_factorize: bool,
    /// In dataflow graphs, locate the coordinates of sparse factors in dense ones, like `locate(x)` in a
    /// schedule
    #[arg(long)]
    pub(crate) auto_locate: bool,
    /// In dataflow graphs, remove zeros from results that are not dense, and coordinates that become empty
    #[arg(long)]
    pub(crate) drop_zeros: bool,
    /// The blocks that dataflow graphs may use: all of comet's simulator, those of SAM's own tools, or those
    /// of Comal, which `--emit=comal` implies
    #[arg(long, value_name = "NAME", default_value = "comet", value_parser = word(DIALECTS))]
    pub(crate) dialect: Dialect,
    /// Reorder sparse operands while the program runs, and undo it in output, by the methods of `comet
    /// reorder`: `lexi` (3 iterations), `lexi,N` (N iterations), `rcm` or `degree`
    #[arg(long, value_name = "METHOD[,N]", value_parser = reorder::parse_method, num_args = 0..=1, require_equals = true, default_missing_value = "lexi")]
    pub(crate) reorder: Option<Method>,
    /// Bypass the compile cache: neither read nor write it
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Print the time of each step of the compiler
    #[arg(long)]
    pub(crate) time_passes: bool,
    /// Count events in the program, and print the counts on standard error when it ends
    #[arg(long, value_name = "WHAT")]
    pub(crate) instrument: Option<InstrumentKind>,
}

const DIALECTS: Words<Dialect> =
    &[("comet", Dialect::Comet), ("sam", Dialect::Sam), ("comal", Dialect::Comal)];

/// What `--instrument` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InstrumentKind {
    /// Insertions into workspaces, moves of workspaces and conversions, and memory; `COMET_INSTRUMENT=json`
    /// selects JSON
    Workspace,
}

#[derive(Debug, Args)]
#[command(after_help = example(&["comet run spmv.ta --input 0=matrix.mtx.gz", "comet run spmv.ta --input A=matrix.mtx -O0 --print=exact"]))]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) program: ProgramArguments,
    #[command(flatten)]
    pub(crate) runtime: RuntimeArguments,
    /// Run the program in N processes, which `mpirun` starts
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX), conflicts_with = "distributed")]
    pub(crate) ranks: Option<u32>,
    /// Run as one of the processes that `mpirun` or `srun` has started
    #[arg(long)]
    pub(crate) distributed: bool,
    /// How matrices are divided among processes
    #[arg(long, value_name = "HOW", value_enum, default_value_t = PartitionKind::Rows, conflicts_with = "reorder")]
    pub(crate) partition: PartitionKind,
}

/// How matrices are divided among processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PartitionKind {
    /// Ranges of rows with about as many entries each
    Rows,
    /// Parts of METIS, whose rows are reordered while the program runs
    Graph,
    /// Parts of METIS where fewer rows move with them
    Auto,
}

impl PartitionKind {
    /// How rows are reordered for it, if they are.
    pub(crate) fn method(self) -> Option<Method> {
        match self {
            Self::Rows => None,
            Self::Graph => Some(Method::Graph),
            Self::Auto => Some(Method::Auto),
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = example(&[
    "comet build spmv.ta -o spmv && ./spmv --input 0=matrix.mtx",
    "comet build spmv.ta --emit=llvm",
    "comet build spmv.ta --emit=ta,cin,asm -o stages/",
    "comet build kernels.ta --emit=header,shared-lib -o library/",
    "comet build kernels.ta --emit=cxx-header,static-lib -o library/",
    "comet build -g spmv.ta -o spmv",
]))]
pub(crate) struct BuildArguments {
    #[command(flatten)]
    pub(crate) program: ProgramArguments,
    /// The output file; a folder if it ends in `/` or several kinds are emitted; `-` is standard output
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<Destination>,
    /// The kinds of output; without `-o`, textual kinds are printed on standard output
    #[arg(long, value_name = "KIND", value_delimiter = ',', default_value = "exe")]
    pub(crate) emit: Vec<EmitKind>,
    /// Write a rule for `make`: the files that are written depend on those that are read
    #[arg(long, value_name = "FILE")]
    pub(crate) depfile: Option<Destination>,
    /// The machine to generate code for: `x86_64-linux-gnu` or `aarch64-linux-gnu`; this one by default
    ///
    /// For the other one, there are objects of kernels, `--emit=obj,header`, and `--target-cpu` names one of
    /// its processors; `native` is `generic` then.
    #[arg(long, value_name = "TRIPLE")]
    pub(crate) target_triple: Option<String>,
    /// Map instructions to lines of the program, for debuggers and profilers: gdb, perf
    #[arg(short = 'g')]
    pub(crate) debug_info: bool,
    /// Use binary joiners only, for tools that have no others, in `sam-dot`, `sam-json` and `svg`
    #[arg(long)]
    pub(crate) binary_joiners: bool,
    /// The direction of streams in `svg`
    #[arg(long, value_name = "LAYOUT", default_value = "top-down", value_parser = word(LAYOUTS))]
    pub(crate) layout: FlowDirection,
    /// An executable for the processes that `mpirun` or `srun` starts, or a library whose kernels processes
    /// of MPI call together, linked by `mpicc`
    #[arg(long)]
    pub(crate) distributed: bool,
    /// How matrices are divided among processes
    #[arg(long, value_name = "HOW", value_enum, default_value_t = PartitionKind::Rows, conflicts_with = "reorder")]
    pub(crate) partition: PartitionKind,
    /// The namespace of the functions in `cxx-header`, such as `app::kernels`; by default `kernels`
    #[arg(long, value_name = "NAME", value_parser = parse_namespace)]
    pub(crate) namespace: Option<Namespace>,
}

const LAYOUTS: Words<FlowDirection> =
    &[("top-down", FlowDirection::TopDown), ("left-right", FlowDirection::LeftRight)];

/// What `comet build` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EmitKind {
    Exe,
    Obj,
    StaticLib,
    SharedLib,
    Header,
    CxxHeader,
    Ast,
    Ta,
    Cin,
    Scf,
    LlvmDialect,
    Llvm,
    Asm,
    Sam,
    SamDot,
    SamJson,
    Comal,
    Svg,
    Spatial,
    SpatialText,
}

impl EmitKind {
    /// Whether it has the graphs of the program's statements, as data.
    pub(crate) fn is_graph(self) -> bool {
        matches!(self, Self::SamDot | Self::SamJson | Self::Comal | Self::Svg)
    }

    /// Whether it is native code, or what becomes of it in LLVM.
    pub(crate) fn is_native(self) -> bool {
        matches!(self, Self::Exe | Self::Obj | Self::StaticLib | Self::SharedLib | Self::Llvm | Self::Asm)
    }

    /// What follows the program's name in the name of a file.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Exe => "",
            Self::Obj => ".o",
            Self::StaticLib => ".a",
            Self::SharedLib => ".so",
            Self::Header => ".h",
            Self::CxxHeader => ".hpp",
            Self::Ast => ".ast",
            Self::Ta => ".ta.mlir",
            Self::Cin => ".cin.mlir",
            Self::Scf => ".scf.mlir",
            Self::LlvmDialect => ".llvm.mlir",
            Self::Llvm => ".ll",
            Self::Asm => ".s",
            Self::Sam => ".sam.mlir",
            Self::SamDot => ".gv",
            Self::SamJson => ".json",
            Self::Comal => ".bin",
            Self::Svg => ".svg",
            Self::Spatial => ".spatial.mlir",
            Self::SpatialText => ".scala",
        }
    }
}

const OPTIMIZATIONS: Words<Optimization> =
    &[("0", Optimization::O0), ("1", Optimization::O1), ("2", Optimization::O2), ("3", Optimization::O3)];

fn parse_optimization(text: &str) -> Result<Optimization, String> {
    meaning(OPTIMIZATIONS, text).ok_or_else(|| "expected 0, 1, 2 or 3".to_owned())
}
