//! `comet build` and `comet run`.

use super::value::{Words, meaning, word};
use super::{RuntimeArguments, example, reorder};
use clap::{Args, ValueEnum};
use comet_abi::reorder::Method;
use comet_backend_cpu::native::Optimization;
use comet_backend_sam::Dialect;
use comet_sam::picture::FlowDirection;
use std::path::PathBuf;

/// What `comet build` and `comet run` take.
#[derive(Debug, Args)]
pub(crate) struct ProgramArguments {
    /// The program, a `.ta` file
    pub(crate) source: PathBuf,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    /// Scheduling commands, or a file with some, for the statements that have what they name; or
    /// `C { commands }` for those that assign to `C`
    #[arg(long, value_name = "COMMANDS|FILE")]
    pub(crate) schedule: Option<String>,
}

/// How a program is compiled, whatever it is written in.
#[derive(Debug, Args)]
pub(crate) struct CompileArguments {
    /// How much to optimize: 0 to 3
    #[arg(short = 'O', value_name = "LEVEL", default_value = "3", value_parser = parse_optimization, hide_default_value = true, allow_negative_numbers = true)]
    pub(crate) optimization: Optimization,
    /// The processor to generate code for, as LLVM names it; `native` is this one
    #[arg(long, value_name = "NAME", default_value = "native")]
    pub(crate) target_cpu: String,
    /// Print automatic decisions with their places and reasons on standard error
    #[arg(long)]
    pub(crate) explain: bool,
    /// Contract dense tensors by loops always, not as products of matrices where that is faster
    #[arg(long)]
    pub(crate) no_gemm: bool,
    /// Have sums of floating-point numbers add up in the order of the loops, each operation rounded by
    /// itself; slower
    #[arg(long)]
    pub(crate) ordered_sums: bool,
    /// Let dataflow graphs multiply some factors of a product first, in a graph of their own, where that is
    /// far less work, as code always does
    #[arg(long)]
    pub(crate) auto_factorize: bool,
    /// Let dataflow graphs look for the coordinates of sparse factors in dense ones, as `locate(x)` in a
    /// schedule does
    #[arg(long)]
    pub(crate) auto_locate: bool,
    /// Let dataflow graphs leave zeros out of results that are not dense, with the coordinates that have
    /// nothing else
    #[arg(long)]
    pub(crate) drop_zeros: bool,
    /// Whose blocks dataflow graphs are made of: all that comet's simulator has, those of SAM's own
    /// tools, or those of Comal, which `--emit=comal` implies
    #[arg(long, value_name = "NAME", default_value = "comet", value_parser = word(DIALECTS))]
    pub(crate) dialect: Dialect,
    /// Reorder sparse operands while the program runs, and undo that in what it shows:
    /// `lexi`, `rcm` or `degree`, as `comet reorder` does; `lexi` does 3 iterations, `lexi,N` does N
    #[arg(long, value_name = "METHOD[,N]", value_parser = reorder::parse_method, num_args = 0..=1, require_equals = true, default_missing_value = "lexi")]
    pub(crate) reorder: Option<Method>,
    /// Compile anew, and keep nothing of it: leave the cache of code that was compiled before out
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Print how long the steps of the compiler take
    #[arg(long)]
    pub(crate) time_passes: bool,
    /// Have the program count what happens in it, and print that on standard error when it ends
    #[arg(long, value_name = "WHAT")]
    pub(crate) instrument: Option<InstrumentKind>,
}

const DIALECTS: Words<Dialect> =
    &[("comet", Dialect::Comet), ("sam", Dialect::Sam), ("comal", Dialect::Comal)];

/// What `--instrument` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InstrumentKind {
    /// What comes to workspaces, what they and conversions move, and memory; `COMET_INSTRUMENT=json` for JSON
    Workspace,
}

#[derive(Debug, Args)]
#[command(after_help = example(&["comet run spmv.ta --input 0=matrix.mtx.gz", "comet run spmv.ta --input A=matrix.mtx -O0 --print=exact"]))]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) program: ProgramArguments,
    #[command(flatten)]
    pub(crate) runtime: RuntimeArguments,
}

#[derive(Debug, Args)]
#[command(after_help = example(&[
    "comet build spmv.ta -o spmv && ./spmv --input 0=matrix.mtx",
    "comet build spmv.ta --emit=llvm",
    "comet build spmv.ta --emit=ta,cin,asm -o stages/",
    "comet build kernels.ta --emit=header,shared-lib -o library/",
]))]
pub(crate) struct BuildArguments {
    #[command(flatten)]
    pub(crate) program: ProgramArguments,
    /// Where to write; a folder where it ends in `/` or several kinds are asked for
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// What to write; textual kinds go to standard output without `-o`
    #[arg(long, value_name = "KIND", value_delimiter = ',', default_value = "exe")]
    pub(crate) emit: Vec<EmitKind>,
    /// Graphs whose joiners have two operands, for tools that have no others: of `sam-dot`, `sam-json`, `svg`
    #[arg(long)]
    pub(crate) binary_joiners: bool,
    /// Which way streams flow in `svg`
    #[arg(long, value_name = "LAYOUT", default_value = "top-down", value_parser = word(LAYOUTS))]
    pub(crate) layout: FlowDirection,
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

    /// What follows the program's name in the name of a file.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Exe => "",
            Self::Obj => ".o",
            Self::StaticLib => ".a",
            Self::SharedLib => ".so",
            Self::Header => ".h",
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
