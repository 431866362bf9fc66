//! How tensors are stored, as the comment of a graph's file says it.

use super::Element;
use std::fmt;

/// A tensor's name, the levels it is stored in, and the mode that each of them stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorFormat {
    /// The name.
    pub name: String,
    /// The levels, the outermost first; none for a scalar.
    pub levels: Vec<Level>,
    /// For each level the mode that it stores.
    pub order: Vec<usize>,
    /// The type of its elements.
    pub element: Element,
}

/// How a level is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// All coordinates.
    Dense,
    /// The coordinates under which something is stored.
    Compressed,
    /// The same as words of so many bits, one for each coordinate, of which each is told whether something is
    /// stored under it.
    BitVector(u32),
}

impl Level {
    /// The most bits that a word has.
    pub const WIDEST: u32 = 64;

    /// Its letter in the comment of a graph's file.
    pub fn letter(self) -> char {
        match self {
            Self::Dense => 'd',
            Self::Compressed => 's',
            Self::BitVector(_) => 'b',
        }
    }

    /// How many bits its words have.
    pub fn width(self) -> Option<u32> {
        match self {
            Self::BitVector(width) => Some(width),
            Self::Dense | Self::Compressed => None,
        }
    }

    /// Its name in the attributes of a block.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Compressed => "compressed",
            Self::BitVector(_) => "bitvector",
        }
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
