//! Tiles chosen from data (Sharma et al., MICRO 2025; d2t2.txt): tensors in tiles, statistics of these, a
//! model of the traffic that they make, the search for tiles that make little of it, and the traffic itself,
//! counted. Plain Rust: statements and the points of their operands come in, sizes of tiles and bytes go out.

mod ablation;
mod cache;
mod contender;
mod counter;
mod cube;
mod cut;
mod distinct;
mod draw;
mod drt;
mod exhaustive;
mod explain;
mod fit;
mod footprints;
mod formula;
mod grid;
mod interval;
mod join;
mod known;
mod machine;
mod measure;
mod model;
mod observed;
mod occupancy;
mod operands;
mod optimize;

mod order;
mod overbooked;
mod overlap;
mod packed;
mod paper;
mod parts;
mod points;
mod quick;
mod random;
mod result;
mod sample;
mod schemes;
mod slices;
mod stack;
mod statement;
mod statistics;
mod tiled;
mod weights;

pub use contender::{Contender, PackedOutcome, Small};
pub use cube::conservative;
pub use drt::{Dynamic, Unsupported, drt};
pub use formula::{Assumption, Derivation, Factor, Formula, Meet, Overlap, Quantity};
pub use machine::{Footprint, Machine};
pub use measure::{Moved, Traffic, measure};
pub use model::Prediction;
pub use observed::Observed;
pub use occupancy::Stretched;
pub use operands::TiledOperands;
pub use optimize::fullest;
pub use packed::Packed;
pub use paper::PaperModel;
pub use points::{Points, PointsError};
pub use result::{ResultTile, finished};
pub use schemes::{Outcome, Scheme, compare, expect};
pub use statement::{Access, Expr, MOST, Nest, Pattern, Statement, Target, Term, Tiles, Var, Variable};
pub use statistics::{OfAccess, Sample, Statistics};
pub use tiled::{Level, Tiled};
