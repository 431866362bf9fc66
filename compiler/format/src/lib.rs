//! Storage formats: a list of levels, each with its level format and the part of a mode it stores.
//!
//! A format has a text form, which the compiler puts into generated code as a constant and the run time
//! reads back: `f64 i32 (0 : D, 1 : CU)` is CSR of doubles, `f64 i32 (0/4 : D, 1/4 : CU, 0%4 : D, 1%4 : D)`
//! is BCSR<4,4>, `f64 i32 (0 : D, slot : D, 1 : S)` is ELL. Numbers name modes.
// The crate is private to the workspace; a comment that repeats the name of a field or method is left out.
mod check;
mod groups;
pub mod hash;
mod level;
mod named;
mod text;
mod value;

use std::ops::Range;

pub use check::FormatError;
pub use groups::LevelGroup;
pub use level::{
    Append, Children, Iterate, LEVEL_FORMATS, LevelArray, LevelFormat, LevelKind, Locate, level_words,
};
pub use value::{ValueKind, ValueRow, ValueType};

/// The highest rank of a tensor: what the compiler generates for a level grows with the levels outside of it.
pub const MAX_RANK: usize = 32;

/// The width of the signed integers in pos and crd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IndexWidth {
    I32,
    I64,
}

impl IndexWidth {
    pub const ALL: [Self; 2] = [Self::I32, Self::I64];

    pub fn bits(self) -> u32 {
        match self {
            Self::I32 => 32,
            Self::I64 => 64,
        }
    }

    pub fn bytes(self) -> usize {
        self.bits() as usize / 8
    }
}

/// What a level's coordinate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelExpr {
    /// The coordinate in a mode.
    Mode(usize),
    /// The coordinate in a mode, divided.
    Div(usize, u64),
    /// The remainder of that division.
    Mod(usize, u64),
    /// The ordinal number of an entry within its row: ELL's second level, which is no index.
    Slot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Level {
    /// What its coordinate is.
    pub expr: LevelExpr,
    /// How it stores coordinates.
    pub kind: LevelKind,
}

/// Levels in storage order, outermost first, with the width of their arrays.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// The number of modes; a format of rank 0 has no levels.
    pub rank: usize,
    pub levels: Vec<Level>,
    pub index_width: IndexWidth,
}

/// A format with the type of its values: what the text form spells.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypedFormat {
    pub value: ValueType,
    pub format: Format,
}

impl LevelExpr {
    /// Returns the mode that the coordinate is made from; a slot has none.
    pub fn mode(self) -> Option<usize> {
        match self {
            Self::Mode(mode) | Self::Div(mode, _) | Self::Mod(mode, _) => Some(mode),
            Self::Slot => None,
        }
    }

    /// Returns the same part of another mode.
    #[must_use]
    pub fn with_mode(self, mode: usize) -> Self {
        match self {
            Self::Mode(_) => Self::Mode(mode),
            Self::Div(_, n) => Self::Div(mode, n),
            Self::Mod(_, n) => Self::Mod(mode, n),
            Self::Slot => Self::Slot,
        }
    }

    /// Returns the number of coordinates under these extents of the modes; that of a slot is known only with
    /// the data.
    pub fn size(self, dims: &[i64]) -> Option<i64> {
        match self {
            Self::Mode(mode) => Some(dims[mode]),
            Self::Div(mode, n) => Some((dims[mode] as u64).div_ceil(n) as i64),
            Self::Mod(_, n) => Some(n as i64),
            Self::Slot => None,
        }
    }
}

impl Level {
    /// Returns whether every parent has a position for each coordinate of a mode, or of a part of one.
    pub fn is_full(&self) -> bool {
        self.kind.is_full() && !self.is_slot()
    }

    pub fn is_slot(&self) -> bool {
        self.expr == LevelExpr::Slot
    }

    /// Returns whether the coordinates of a fiber have no gaps, so that there are positions for coordinates
    /// that nothing was stored at.
    pub fn is_contiguous(&self) -> bool {
        self.kind.iterate() == Iterate::ByCoordinate && !self.is_slot()
    }

    /// Returns whether the level stores all coordinates or lists those of entries, in order.
    pub fn is_plain(&self) -> bool {
        self.kind.is_ordered() && (self.kind.is_full() || self.kind.lists_coordinates())
    }

    /// Returns whether the level stores one position for each tuple of its coordinate and those of the
    /// branchless levels right below it.
    pub fn starts_tuple(&self) -> bool {
        self.is_slot() || !(self.kind.is_unique() || self.kind.is_branchless())
    }
}

impl Format {
    /// Returns whether every position is stored: all levels are full.
    pub fn is_dense(&self) -> bool {
        self.levels.iter().all(Level::is_full)
    }

    /// Returns whether there may be positions that are no entries, which are padding: the last level is
    /// contiguous, and not every level is full.
    pub fn pads(&self) -> bool {
        !self.padded_levels().is_empty()
    }

    /// Returns the levels whose positions may be padding: the innermost contiguous ones, from the first that
    /// is not full or is below one that is not.
    pub fn padded_levels(&self) -> Range<usize> {
        let end = self.levels.len();
        let contiguous = self.levels.iter().rev().take_while(|level| level.is_contiguous()).count();
        let full = self.levels.iter().take_while(|level| level.is_full()).count();
        (end - contiguous).max(full)..end
    }

    /// Returns the levels whose coordinates share the positions of `level`: itself, with the branchless
    /// levels right below it where it starts a tuple.
    pub fn tuple(&self, level: usize) -> Range<usize> {
        let below = &self.levels[level + 1..];
        let joined = match self.levels[level].starts_tuple() {
            true => below.iter().take_while(|level| level.kind.is_branchless()).count(),
            false => 0,
        };
        level..level + 1 + joined
    }

    /// Returns the same levels in order, with listed coordinates and without positions that hold no entries:
    /// others are compressed, except for full ones above.
    #[must_use]
    pub fn compact(&self) -> Self {
        let mut compact = self.clone();
        let padded = self.padded_levels();
        for (number, level) in compact.levels.iter_mut().enumerate() {
            if padded.contains(&number) || !level.is_plain() {
                level.kind = LevelKind::CompressedUnique;
            }
        }
        compact
    }

    /// Returns whether the entries are stored in the order of their coordinates.
    pub fn is_ordered(&self) -> bool {
        self.levels.iter().all(|level| level.kind.is_ordered())
    }

    /// Returns the same levels with compressed ones in the place of those without order.
    #[must_use]
    pub fn ordered(&self) -> Self {
        let mut ordered = self.clone();
        for level in ordered.levels.iter_mut().filter(|level| !level.kind.is_ordered()) {
            level.kind = LevelKind::CompressedUnique;
        }
        ordered
    }

    /// Returns whether all levels are plain.
    pub fn is_plain(&self) -> bool {
        self.levels.iter().all(Level::is_plain)
    }

    /// Returns whether levels are as in [`Self::compact`].
    pub fn is_compact(&self) -> bool {
        self.compact() == *self
    }
}
