//! Tiles chosen from data (Sharma et al., MICRO 2025; d2t2.txt): tensors in tiles, statistics of these, a
//! model of the traffic that they make, the search for tiles that make little of it, and the traffic itself,
//! counted. Plain Rust: statements and the points of their operands come in, sizes of tiles and bytes go out.

#![allow(missing_docs, reason = "private to the workspace: fields whose names say it all have no comment")]

mod computed;
mod cube;
mod distinct;
mod draw;
mod drt;
mod fit;
mod footprints;
mod formula;
mod grid;
mod hierarchy;
mod interval;
mod join;
mod known;
mod levels;
mod machine;
mod measure;
mod memory;
mod model;
mod nested;
mod observed;
mod occupancy;
mod operands;
mod optimize;
mod parts;
mod points;
mod processors;
mod quick;
mod random;
mod result;
mod sample;
mod schemes;
mod spill;
mod stack;
mod statement;
mod statistics;
mod sure;
mod tiled;
mod weights;

pub use computed::{TooManyProducts, entries_of_result};
pub use cube::conservative;
pub use drt::{Dynamic, Unsupported, drt};
pub use formula::{Assumption, Derivation, Formula, LoadFactor, Meet, Overlap, Quantity};
pub use hierarchy::{Bound, Cost, Hierarchy, MemoryLevel, NoRoom, Room};
pub use levels::{LevelTiles, Leveled, Levels, Objective, measure_levels};
pub use machine::{Footprint, Machine};
pub use measure::{Moved, Traffic, measure};
pub use memory::Memory;
pub use model::Prediction;
pub use nested::Packed;
pub use observed::Observed;
pub use occupancy::{OccupancyOutcome, Stretched};
pub use operands::TiledOperands;
pub use optimize::fullest;
pub use points::{Points, PointsError};
pub use processors::{Bounds, SparseProduct, distinct, thinned};
pub use result::{ResultTile, finished};
pub use schemes::{Contender, PackedOutcome, Small};
pub use schemes::{Counting, Scheme, SchemeResult, compare, expect};
pub use statement::{Access, Expr, MOST, Nest, Pattern, Statement, Target, Term, Tiles, Var, Variable};
pub use statistics::PaperModel;
pub use statistics::{OfAccess, Sample, Statistics};
pub use tiled::{FiberLevel, Tiled};
