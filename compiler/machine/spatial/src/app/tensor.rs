//! The tensors whose arrays are the memories of an application.

use super::Type;
use super::operator::words;

/// A tensor whose arrays are the memories of an application: `// tensor B: Double [i0: D, i1: CU] operand`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// Its name, which those of its arrays begin with.
    pub name: String,
    pub element: Type,
    /// Its levels, in storage order.
    pub levels: Vec<Level>,
    pub role: Role,
}

impl Tensor {
    pub fn rank(&self) -> usize {
        self.levels.iter().map(|level| level.mode + 1).max().unwrap_or(0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The mode whose coordinates it has, from 0 on.
    pub mode: usize,
    pub division: Division,
    pub kind: LevelKind,
}

/// What a level has of the coordinates of a mode. A mode that is divided into tiles of n has two levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// The coordinates: `i0`.
    None,
    /// The number of the tile: `i0/n`.
    Quotient(i64),
    /// The coordinate in the tile: `i0%n`. The last tile has n of them, too: what is behind the extent is 0.
    Remainder(i64),
}

impl Level {
    /// A level of a mode as it is.
    pub fn whole(mode: usize, kind: LevelKind) -> Self {
        Self { mode, division: Division::None, kind }
    }

    /// How many coordinates it has at most, of a mode of an extent.
    pub fn extent(&self, of_mode: usize) -> usize {
        match self.division {
            Division::None => of_mode,
            Division::Quotient(size) => of_mode.div_ceil(size as usize),
            Division::Remainder(size) => size as usize,
        }
    }
}

words! {
    LevelKind {
        /// All of them.
        Dense = "D",
        /// Those that are there, sorted, with a segment for each parent.
        Compressed = "CU",
    }
}

impl LevelKind {
    pub fn is_dense(self) -> bool {
        self == Self::Dense
    }

    pub fn is_compressed(self) -> bool {
        self == Self::Compressed
    }
}

words! {
    Role {
        Operand = "operand",
        Result = "result",
        /// It is computed on top of what it holds.
        Updated = "updated",
    }
}
