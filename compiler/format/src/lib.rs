//! Storage formats: a list of levels, each with its level format and the part of a mode it stores.
//!
//! A format has a text form, which the compiler puts into generated code as a constant and the run time
//! reads back: `f64 i32 (0 : D, 1 : CU)` is CSR of doubles, `f64 i32 (0/4 : D, 1/4 : CU, 0%4 : D, 1%4 : D)`
//! is BCSR<4,4>, `f64 i32 (0 : D, slot : D, 1 : S)` is ELL. Numbers name modes.

mod check;
mod groups;
mod named;
mod text;

use std::fmt;
use std::ops::Range;

pub use check::FormatError;
pub use groups::LevelGroup;

/// The most modes of a tensor: what the compiler generates for a level grows with the levels outside of it.
pub const MAX_RANK: usize = 32;

/// The element type of the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueType {
    /// `double`.
    F64,
    /// `float`.
    F32,
    /// `int`.
    I64,
}

impl ValueType {
    /// The word of the language.
    pub fn word(self) -> &'static str {
        match self {
            Self::F64 => "double",
            Self::F32 => "float",
            Self::I64 => "int",
        }
    }
}

/// The integer width of pos and crd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IndexWidth {
    /// 32 bits, signed.
    I32,
    /// 64 bits, signed.
    I64,
}

/// Level formats: comet.txt section 4, and bit vectors of sam.txt 4.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelKind {
    /// D: every coordinate.
    Dense,
    /// CU: pos and crd, every coordinate of a fiber once.
    CompressedUnique,
    /// CN: pos and crd, one for each distinct tuple of this level and of the S levels right below it.
    CompressedNonUnique,
    /// S: crd only, one coordinate under each parent position; −1 where there is none.
    Singleton,
    /// BV: pos and words of that many bits.
    BitVector(u32),
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
    /// The number of an entry within its row: ELL's second level, which is no index.
    Slot,
}

/// One level.
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
    /// The levels.
    pub levels: Vec<Level>,
    /// The integer width of pos and crd.
    pub index_width: IndexWidth,
}

/// A format with the type of its values: what the text form spells.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypedFormat {
    /// The element type.
    pub value: ValueType,
    /// The levels.
    pub format: Format,
}

impl LevelExpr {
    /// The mode the coordinate is made from; a slot has none.
    pub fn mode(self) -> Option<usize> {
        match self {
            Self::Mode(mode) | Self::Div(mode, _) | Self::Mod(mode, _) => Some(mode),
            Self::Slot => None,
        }
    }

    /// The number of coordinates when the modes have these extents; a slot's is known only with the data.
    pub fn size(self, dims: &[i64]) -> Option<i64> {
        match self {
            Self::Mode(mode) => Some(dims[mode]),
            Self::Div(mode, n) => Some((dims[mode] as u64).div_ceil(n) as i64),
            Self::Mod(_, n) => Some(n as i64),
            Self::Slot => None,
        }
    }
}

impl Format {
    /// Whether every position is stored: all levels are D and none is a slot.
    pub fn is_dense(&self) -> bool {
        self.levels.iter().all(Level::stores_all)
    }

    /// Whether blocks may hold positions that are no entries: the last level stores every coordinate below
    /// one that does not. Such a position is padding.
    pub fn pads(&self) -> bool {
        self.levels.last().is_some_and(Level::stores_all) && !self.is_dense()
    }

    /// The innermost levels that store every coordinate, as far as they lie below one that does not: those
    /// whose positions may be padding.
    pub fn padded_levels(&self) -> Range<usize> {
        let end = self.levels.len();
        if !self.pads() {
            return end..end;
        }
        end - self.levels.iter().rev().take_while(|level| level.stores_all()).count()..end
    }

    /// The same levels without padding: those that may hold some are compressed.
    #[must_use]
    pub fn compact(&self) -> Self {
        let mut compact = self.clone();
        for level in self.padded_levels() {
            compact.levels[level].kind = LevelKind::CompressedUnique;
        }
        compact
    }
}

impl Level {
    /// Whether each parent has a position for every coordinate of a mode, or of a part of one.
    fn stores_all(&self) -> bool {
        self.kind == LevelKind::Dense && self.expr != LevelExpr::Slot
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
            Self::I64 => "i64",
        })
    }
}
