//! What generated code and the run time share of an accumulator of points: where the numbers of
//! `comet_rt_points_state` stand, what `comet_rt_points_room` has of a point, and how a table is searched.

use crate::error::Error;
use crate::memory::Plain;
use std::str::FromStr;

/// Where the number of points in the accumulator stands.
pub const LEN: usize = 0;
/// Where the number stands that generated code may bring it to; 0 where a key takes several words.
pub const MOST: usize = 1;
/// Where the number of hits stands: points that came to one of their element. Generated code counts its own
/// only where it is asked to.
pub const HITS: usize = 2;
/// Where the shifts begin: by how many bits the coordinate of each level is shifted in a key.
pub const SHIFTS: usize = 3;

/// The first word of a slot in which there is no point: the highest bit of no key is set.
pub const EMPTY: u64 = u64::MAX;

/// 2⁶⁴ over the golden ratio. The product of a key of one word with it, as a fraction of 2⁶⁴, is where in the
/// table the search for the key begins (Fibonacci hashing); it goes on to the next slot, round the end.
pub const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// How points are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One after another, several of an element.
    List,
    /// As a list; those of an element combine in the order in which they came, from the first to the last.
    Sequence,
    /// At the place of their key's hash, or the next that is free; one of an element.
    Hash,
}

impl Kind {
    /// As `ta.points_begin` and the C ABI have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Sequence => "sequence",
            Self::Hash => "hash",
        }
    }
}

impl FromStr for Kind {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "list" => Ok(Self::List),
            "sequence" => Ok(Self::Sequence),
            "hash" => Ok(Self::Hash),
            _ => Err(Error::Internal(format!("`{name}` is no accumulator of points"))),
        }
    }
}

/// A coordinate path, of W words, and the bits of a value.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Point<const W: usize> {
    pub(crate) key: [u64; W],
    pub(crate) bits: u64,
}

// SAFETY: nothing but words, without padding between them; generated code sees them as such.
unsafe impl<const W: usize> Plain for Point<W> {}

impl<const W: usize> Default for Point<W> {
    fn default() -> Self {
        Self { key: [0; W], bits: 0 }
    }
}

impl<const W: usize> Point<W> {
    pub(crate) const NOTHING: Self = Self { key: [EMPTY; W], bits: 0 };

    pub(crate) fn is_there(&self) -> bool {
        self.key[0] != EMPTY
    }
}
