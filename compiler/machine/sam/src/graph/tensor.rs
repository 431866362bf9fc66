//! How tensors are stored, as the comment of a graph's file says it.

use super::Element;
use serde::ser::SerializeStruct as _;
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorFormat {
    pub name: String,
    pub levels: Vec<GraphLevel>,
    pub order: Vec<usize>,
    pub element: Element,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphLevel {
    Dense,
    Compressed,
    /// The same as words of so many bits, one bit for each coordinate, which says whether something is stored
    /// under it.
    BitVector(u32),
}

impl GraphLevel {
    pub const WIDEST: u32 = 64;

    pub fn is_dense(self) -> bool {
        self == Self::Dense
    }

    /// Returns the letter in the comment of a graph's file.
    pub fn letter(self) -> char {
        match self {
            Self::Dense => 'd',
            Self::Compressed => 's',
            Self::BitVector(_) => 'b',
        }
    }

    pub fn width(self) -> Option<u32> {
        match self {
            Self::BitVector(width) => Some(width),
            Self::Dense | Self::Compressed => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Compressed => "compressed",
            Self::BitVector(_) => "bitvector",
        }
    }
}

impl serde::Serialize for GraphLevel {
    /// Writes the fields `format` and `width`, for a block to flatten.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("GraphLevel", 2)?;
        fields.serialize_field("format", self.name())?;
        fields.serialize_field("width", &self.width())?;
        fields.end()
    }
}

impl TensorFormat {
    pub fn is_dense(&self) -> bool {
        self.levels.iter().all(|level| level.is_dense())
    }

    pub fn level_of(&self, mode: usize) -> Option<usize> {
        self.order.iter().position(|stored| *stored == mode)
    }
}

impl fmt::Display for TensorFormat {
    /// `B=ss01`, or `a=none` for a scalar.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}=", self.name)?;
        if self.levels.is_empty() {
            return f.write_str("none");
        }
        self.levels.iter().try_for_each(|level| write!(f, "{}", level.letter()))?;
        self.order.iter().try_for_each(|mode| write!(f, "{}", mode_digit(*mode)))
    }
}

/// One digit, or a capital letter from mode 10 on, where SAM's files have nothing.
fn mode_digit(mode: usize) -> char {
    let digit = u32::try_from(mode).ok().and_then(|mode| char::from_digit(mode, 36));
    digit.map_or('?', |digit| digit.to_ascii_uppercase())
}
