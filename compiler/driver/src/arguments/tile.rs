//! `comet tile`.

use super::value::{Words, whole, word};
use super::{CompileArguments, RuntimeArguments, example};
use crate::tile::export::{self, Export};
use crate::tile::given::{self, GivenSizes};
use crate::tile::orders::{self, Most};
use crate::tile::schemes::{self, Schemes};
use clap::Args;
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
    /// What a tile of an operand takes at most: its values, coordinates and segments. 128KiB where neither
    /// this nor `tile(auto, buffer = …)` in the schedule of a statement says otherwise
    #[arg(long, value_name = "BYTES", value_parser = quantity::bytes, allow_negative_numbers = true)]
    pub(crate) buffer: Option<u64>,
    /// Choose tiles for all levels of memory of a machine, from a file in TOML or one that has a name;
    /// reports the bytes that move into each level, time and energy
    #[arg(long, value_name = "FILE|opal|extensor", conflicts_with_all = ["buffer", "schemes", "orders", "paper_model", "apply", "apply_levels", "exports", "packed", "occupancy", "html"])]
    pub(crate) machine: Option<PathBuf>,
    /// What tiles are to make little of on that machine: bytes into the outermost level (and with its
    /// tiles those into the next one), seconds, or joules
    #[arg(long, requires = "machine", value_parser = word(OBJECTIVES))]
    pub(crate) objective: Option<Objective>,
    /// Also evaluate tiles of these sizes, for the statements that have all these variables; along others,
    /// one tile has all coordinates. Sizes in a schedule are evaluated as well, where this names none. On a
    /// machine with several levels each level has sizes of its own, as `--tiles LLB:i=64 --tiles PE:i=8`
    #[arg(long, value_name = "[LEVEL:]i=N,k=N,…", value_parser = given::parse)]
    pub(crate) tiles: Vec<GivenSizes>,
    /// The schemes that are compared: `all`, or some of conservative, prescient, tailors, d2t2, exhaustive,
    /// which are those by default, overbooked, independent, without-corrs, corrs-only, occupancy, packed,
    /// packed-small and drt. d2t2 is always there, since its tiles are printed
    #[arg(long, value_name = "NAME,…|all", value_parser = schemes::parse, default_value = schemes::DEFAULT, hide_default_value = true)]
    pub(crate) schemes: Schemes,
    /// Also choose the order of the loops: tiles are chosen in other orders, at most so many, and the one of
    /// which the least traffic is expected is what all else is about, where the compiler takes it. `auto` is
    /// 24, which are all of four loops, `all` is 720, of six
    #[arg(long, value_name = "auto|all|N", value_parser = orders::parse, allow_negative_numbers = true)]
    pub(crate) orders: Option<Most>,
    /// Scheduling commands, or a file with some, for the statements that have what they name
    #[arg(long, value_name = "COMMANDS|FILE")]
    pub(crate) schedule: Option<String>,
    /// What samples of the operands are drawn by
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) runtime: RuntimeArguments,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    /// Choose tiles and predict their traffic only: nothing is counted, and schemes that count are left out
    #[arg(long, conflicts_with = "packed")]
    pub(crate) no_measure: bool,
    /// Also predict by the equations of the paper alone, 16 to 20, from statistics of single operands
    #[arg(long)]
    pub(crate) paper_model: bool,
    /// Write the sparse operands in the chosen tiles, or those that are given, to a folder: `A.tns` of
    /// `A[i,k]` has four coordinates, the numbers of the tile along i and k, then the place in it;
    /// `tiles.json` says what there is
    #[arg(long, value_name = "DIR")]
    pub(crate) apply: Option<PathBuf>,
    /// Write each tile that is not empty to a file of its own: `A/3_0.json` has segments and coordinates of
    /// the levels of tile (3, 0) of `A`, and its values; `tiles.json` says what there is
    #[arg(long, value_name = "DIR", conflicts_with = "packed")]
    pub(crate) apply_levels: Option<PathBuf>,
    /// Write the statement in its tiles for another model of accelerators: TeAAL or AccelForge
    #[arg(long = "export", value_name = "teaal=FILE|accelforge=FILE", value_parser = export::parse)]
    pub(crate) exports: Vec<Export>,
    /// Also bring the small tiles that statistics are made of together to about the chosen ones, and report
    /// what these packed tiles move; `--apply` writes them, with three coordinates for each index: the
    /// packed tile, the small one in it, the place in that
    #[arg(long)]
    pub(crate) packed: bool,
    /// Also choose tiles of about equal occupancy, which differ in length along an index; `--apply` and
    /// `--apply-levels` write these, and `tiles.json` says where they begin
    #[arg(long, conflicts_with_all = ["packed", "tiles", "exports"])]
    pub(crate) occupancy: bool,
    /// Write the tiles and the traffic of all schemes to a file as JSON
    #[arg(long, value_name = "PATH")]
    pub(crate) json: Option<PathBuf>,
    /// Write a page to look at: traffic of all schemes, patterns of matrices with the chosen tiles,
    /// correlations
    #[arg(long, visible_alias = "report", value_name = "PATH")]
    pub(crate) html: Option<PathBuf>,
}
