//! `comet gen`.

use super::example;
use super::value::{real, whole};
use clap::{Args, Subcommand, ValueEnum};
use comet_runtime::destination::Destination;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    after_help = example(&[
        "comet gen stencil27 --grid 58 -o laplacian.mtx",
        "comet gen uniform --dims 1000,1000 --density 0.01 --seed 7 -o a.mtx.gz",
        "comet gen --values-for pattern.mtx -o a.mtx",
    ])
)]
pub(crate) struct GenerateArguments {
    #[command(subcommand)]
    pub(crate) kind: Option<GenerateKind>,
    /// Copy the positions of a file, with the values of `--values=position`
    #[arg(long, value_name = "FILE", required = true, requires = "output")]
    pub(crate) values_for: Option<PathBuf>,
    /// The `.mtx` or `.tns` file to write, compressed if it ends in `.gz`; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<Destination>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GenerateKind {
    /// The 5-point Laplacian of a 2-D grid
    #[command(after_help = example(&["comet gen stencil5 --grid 100,80 -o laplacian.mtx"]))]
    Stencil5(StencilArguments),
    /// The 7-point Laplacian of a 3-D grid
    #[command(after_help = example(&["comet gen stencil7 --grid 58 -o laplacian.mtx"]))]
    Stencil7(StencilArguments),
    /// The 27-point Laplacian of a 3-D grid
    #[command(after_help = example(&["comet gen stencil27 --grid 58 -o laplacian.mtx"]))]
    Stencil27(StencilArguments),
    /// A full band around the diagonal
    #[command(after_help = example(&["comet gen banded --dims 1000,1000 --below 2 --above 3 -o band.mtx"]))]
    Banded(BandedArguments),
    /// Uniformly distributed entries, of any rank
    #[command(after_help = example(&["comet gen uniform --dims 100,200,300 --entries 10000 -o t.tns"]))]
    Uniform(UniformArguments),
    /// A scale-free graph of 2^scale vertices
    #[command(after_help = example(&["comet gen rmat --scale 16 --seed 1 -o graph.mtx"]))]
    Rmat(RmatArguments),
    /// Full blocks at random places of a matrix
    #[command(after_help = example(&["comet gen block --dims 1000,1000 --block 4,4 --density 0.05 -o blocks.mtx"]))]
    Block(BlockArguments),
    /// A tensor where few indices of each mode hold most of the entries
    #[command(after_help = example(&["comet gen power-law --dims 1000,2000,3000 --entries 100000 -o t.tns"]))]
    PowerLaw(PowerLawArguments),
}

/// What all kinds take.
#[derive(Debug, Args)]
pub(crate) struct OutputArguments {
    /// The `.mtx` or `.tns` file to write, compressed if it ends in `.gz`; `-` is standard output, with a
    /// matrix as in a `.mtx` and any other tensor as in a `.tns`
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Destination,
    /// The seed of random positions and values
    #[arg(long, default_value_t = 0, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// The rule for the values
    #[arg(long, value_enum, default_value_t)]
    pub(crate) values: ValuesRule,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum ValuesRule {
    /// The coefficients of a stencil; random for other kinds
    #[default]
    Own,
    /// Multiples of 1/256 in (0, 1]
    Random,
    /// A function of the position
    Position,
}

/// How many entries; neither is a default where the kind has one.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct AmountArguments {
    /// The number of entries
    #[arg(long, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub(crate) entries: Option<u64>,
    /// The fraction of the positions that hold an entry
    #[arg(long, value_parser = real, allow_negative_numbers = true)]
    pub(crate) density: Option<f64>,
}

#[derive(Debug, Args)]
pub(crate) struct StencilArguments {
    /// The number of points along each axis; a single number applies to all
    #[arg(long, value_name = "N,…", value_delimiter = ',', required = true, value_parser = whole(1..=u64::MAX), allow_hyphen_values = true)]
    pub(crate) grid: Vec<u64>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(crate) struct BandedArguments {
    /// The numbers of rows and columns
    #[arg(long, value_name = "ROWS,COLUMNS", value_delimiter = ',', required = true, value_parser = whole(0..=u64::MAX), allow_hyphen_values = true)]
    pub(crate) dims: Vec<u64>,
    /// The number of diagonals below the main one
    #[arg(long, default_value_t = 1, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub(crate) below: u64,
    /// The number of diagonals above the main one
    #[arg(long, default_value_t = 1, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub(crate) above: u64,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(crate) struct UniformArguments {
    /// The extents
    #[arg(long, value_name = "N,…", value_delimiter = ',', required = true, value_parser = whole(0..=u64::MAX), allow_hyphen_values = true)]
    pub(crate) dims: Vec<u64>,
    #[command(flatten)]
    pub(crate) amount: AmountArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(crate) struct RmatArguments {
    /// The matrix has 2^scale rows and columns
    #[arg(long, value_parser = whole(0..=u32::MAX), allow_negative_numbers = true)]
    pub(crate) scale: u32,
    /// The probabilities of the upper left, upper right and lower left quadrant
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', value_parser = real, allow_hyphen_values = true)]
    pub(crate) quadrants: Option<Vec<f64>>,
    #[command(flatten)]
    pub(crate) amount: AmountArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(crate) struct BlockArguments {
    /// The numbers of rows and columns
    #[arg(long, value_name = "ROWS,COLUMNS", value_delimiter = ',', required = true, value_parser = whole(0..=u64::MAX), allow_hyphen_values = true)]
    pub(crate) dims: Vec<u64>,
    /// The numbers of rows and columns of a block
    #[arg(long, value_name = "ROWS,COLUMNS", value_delimiter = ',', required = true, value_parser = whole(0..=u64::MAX), allow_hyphen_values = true)]
    pub(crate) block: Vec<u64>,
    /// The number of blocks
    #[arg(long, conflicts_with = "density", required_unless_present = "density", value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub(crate) blocks: Option<u64>,
    /// The fraction of the blocks that are present
    #[arg(long, value_parser = real, allow_negative_numbers = true)]
    pub(crate) density: Option<f64>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
pub(crate) struct PowerLawArguments {
    /// The extents
    #[arg(long, value_name = "N,…", value_delimiter = ',', required = true, value_parser = whole(0..=u64::MAX), allow_hyphen_values = true)]
    pub(crate) dims: Vec<u64>,
    /// The skew; 1 is uniform
    #[arg(long, default_value_t = 3, value_parser = whole(0..=u32::MAX), allow_negative_numbers = true)]
    pub(crate) skew: u32,
    #[command(flatten)]
    pub(crate) amount: AmountArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}
