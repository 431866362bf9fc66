//! `comet tile`.

use super::value::{Words, folder, whole, word};
use super::{CompileArguments, RuntimeArguments, example};
use crate::tile::export::{self, Export};
use crate::tile::given::{self, GivenSizes};
use crate::tile::orders::{self, Most};
use crate::tile::schemes::{self, Schemes};
use clap::Args;
use comet_runtime::destination::Destination;
use comet_sam::machine::quantity;
use comet_tiling::Objective;
use std::path::PathBuf;

const OBJECTIVES: Words<Objective> =
    &[("bytes", Objective::Bytes), ("time", Objective::Time), ("energy", Objective::Energy)];

#[derive(Debug, Args)]
#[command(after_help = example(&[
    "comet tile square.ta --input 0=matrix.mtx --buffer=1KiB --json tiles.json",
    "comet tile square.ta --input 0=matrix.mtx --buffer=1KiB --tiles i=8,k=8",
    "comet tile square.ta --input 0=matrix.mtx --buffer=1KiB --schemes all --paper-model",
    "comet tile square.ta --input 0=matrix.mtx --buffer=1KiB --orders auto",
    "comet tile square.ta --input 0=matrix.mtx --machine=extensor --objective=time",
]))]
pub(crate) struct TileArguments {
    /// The program
    pub(crate) source: PathBuf,
    /// The maximum size of a tile of an operand: its values, coordinates and positions. The default is that
    /// of `tile(auto, buffer = …)` in the schedule of a statement, otherwise 128KiB
    #[arg(long, value_name = "BYTES", value_parser = quantity::bytes, allow_negative_numbers = true)]
    pub(crate) buffer: Option<u64>,
    /// Choose tiles for all levels of memory of a machine, which is a TOML file or predefined; reports the
    /// traffic into each level, time and energy
    #[arg(long, value_name = "FILE|opal|extensor", conflicts_with_all = ["buffer", "schemes", "orders", "paper_model", "apply", "apply_levels", "exports", "packed", "occupancy", "html"])]
    pub(crate) machine: Option<PathBuf>,
    /// What tiles minimize on that machine: bytes into the outermost level (and with its tiles those into the
    /// next one), seconds, or joules
    #[arg(long, requires = "machine", value_parser = word(OBJECTIVES))]
    pub(crate) objective: Option<Objective>,
    /// Also evaluate tiles of these sizes, for the statements that have all these variables; along others,
    /// one tile has all coordinates. Without it, sizes in a schedule are evaluated. On a machine with several
    /// levels each level has its own sizes, as in `--tiles LLB:i=64 --tiles PE:i=8`
    #[arg(long, value_name = "[LEVEL:]i=N,k=N,…", value_parser = given::parse)]
    pub(crate) tiles: Vec<GivenSizes>,
    /// The schemes to compare: `all`, or some of conservative, prescient, tailors, d2t2, exhaustive (the
    /// default), overbooked, independent, without-corrs, corrs-only, occupancy, packed, packed-small and drt.
    /// d2t2 is always included, since its tiles are printed
    #[arg(long, value_name = "NAME,…|all", value_parser = schemes::parse, default_value = schemes::DEFAULT, hide_default_value = true)]
    pub(crate) schemes: Schemes,
    /// Also choose the order of the loops: tiles are chosen in at most N orders, and all output refers to the
    /// order with the least expected traffic that the compiler accepts. `auto` is 24 (all orders of four
    /// loops), `all` is 720 (of six)
    #[arg(long, value_name = "auto|all|N", value_parser = orders::parse, allow_negative_numbers = true)]
    pub(crate) orders: Option<Most>,
    /// Scheduling commands, or a file with commands, for the statements that have all labels and tensors in
    /// them
    #[arg(long, value_name = "COMMANDS|FILE")]
    pub(crate) schedule: Option<String>,
    /// The seed of samples of the operands
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) runtime: RuntimeArguments,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    /// Choose tiles and predict their traffic without counting it; schemes that require counting are omitted
    #[arg(long, conflicts_with = "packed")]
    pub(crate) no_measure: bool,
    /// Also predict by equations 16 to 20 of the paper alone, from statistics of single operands
    #[arg(long)]
    pub(crate) paper_model: bool,
    /// Write the sparse operands in the chosen or given tiles to a folder: `A.tns` of `A[i,k]` has four
    /// coordinates, the tile numbers along i and k, then the coordinates within the tile; `tiles.json` lists
    /// the files
    #[arg(long, value_name = "DIR", value_parser = folder())]
    pub(crate) apply: Option<PathBuf>,
    /// Write each tile that is not empty to a separate file: `A/3_0.json` has segments and coordinates of the
    /// levels of tile (3, 0) of `A`, and its values; `tiles.json` lists the files
    #[arg(long, value_name = "DIR", value_parser = folder(), conflicts_with = "packed")]
    pub(crate) apply_levels: Option<PathBuf>,
    /// Write the statement in its tiles for another model of accelerators: TeAAL or AccelForge
    #[arg(long = "export", value_name = "teaal=FILE|accelforge=FILE", value_parser = export::parse)]
    pub(crate) exports: Vec<Export>,
    /// Also combine the small tiles from which statistics are computed to about the chosen ones, and report
    /// the traffic of these packed tiles; `--apply` writes them, with three coordinates for each index: the
    /// packed tile, the small tile in it, and the coordinate within that
    #[arg(long)]
    pub(crate) packed: bool,
    /// Also choose tiles of about equal occupancy, which differ in length along an index; `--apply` and
    /// `--apply-levels` write these, and `tiles.json` states where they begin
    #[arg(long, conflicts_with_all = ["packed", "tiles", "exports"])]
    pub(crate) occupancy: bool,
    /// Write the tiles and the traffic of all schemes to a file as JSON. `-` is standard output, here and for
    /// `--html` and `--export`; the schedule is printed on standard error then
    #[arg(long, value_name = "PATH")]
    pub(crate) json: Option<Destination>,
    /// Write an HTML page: traffic of all schemes, patterns of matrices with the chosen tiles, correlations
    #[arg(long, visible_alias = "report", value_name = "PATH")]
    pub(crate) html: Option<Destination>,
}
