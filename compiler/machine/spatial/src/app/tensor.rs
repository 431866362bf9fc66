//! The tensors whose arrays are the memories of an application.

use super::Scalar;
use super::operator::words;
use comet_format::{Level, LevelExpr, LevelKind};

/// The kinds of levels that applications have; levels of both may be of tiles of a mode.
pub const LEVEL_KINDS: [LevelKind; 2] = [LevelKind::Dense, LevelKind::CompressedUnique];

/// A tensor whose arrays are the memories of an application: `// tensor B: Double [i0: D, i1: CU] operand`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// Its name, which those of its arrays begin with.
    pub name: String,
    pub element: Scalar,
    /// Its levels, in storage order: of a mode, the number of a tile of it, or the coordinate in the tile.
    /// The last tile has as many coordinates as the others: what is behind the extent is 0.
    pub levels: Vec<Level>,
    pub role: Role,
}

impl Tensor {
    pub fn rank(&self) -> usize {
        self.levels.iter().map(|level| mode_of(level) + 1).max().unwrap_or(0)
    }
}

/// Returns a level of a mode as it is.
pub fn whole(mode: usize, kind: LevelKind) -> Level {
    Level { expr: LevelExpr::Mode(mode), kind }
}

/// Returns the mode whose coordinates a level has.
pub fn mode_of(level: &Level) -> usize {
    level.expr.mode().expect("levels of applications are of modes")
}

words! {
    Role {
        Operand = "operand",
        Result = "result",
        /// It is computed on top of what it holds.
        Updated = "updated",
    }
}
