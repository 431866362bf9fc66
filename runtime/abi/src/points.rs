//! What generated code and the run time share of an accumulator of points: where the numbers of
//! `comet_rt_points_state` stand, what `comet_rt_points_room` has of a point, and how a table is searched.

use crate::TextError;
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
pub enum AccumulatorKind {
    /// One after another, several of an element.
    List,
    /// As a list; those of an element combine in the order in which they came, from the first to the last.
    Sequence,
    /// At the place of their key's hash, or the next that is free; one of an element.
    Hash,
}

impl AccumulatorKind {
    /// As `ta.points_begin` and the C ABI have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Sequence => "sequence",
            Self::Hash => "hash",
        }
    }
}

impl FromStr for AccumulatorKind {
    type Err = TextError;

    fn from_str(name: &str) -> Result<Self, TextError> {
        match name {
            "list" => Ok(Self::List),
            "sequence" => Ok(Self::Sequence),
            "hash" => Ok(Self::Hash),
            _ => Err(TextError(format!("`{name}` is no accumulator of points"))),
        }
    }
}
