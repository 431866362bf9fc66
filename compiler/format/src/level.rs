//! Level formats: how one level of a tensor stores the coordinates under each position of the level above,
//! and what can be done with them.
//!
//! The vocabulary is that of Chou, Kjolstad and Amarasinghe, "Format Abstraction for Sparse Tensor Algebra
//! Compilers" (OOPSLA 2018), sections 3 and 4: five properties (full, ordered, unique, branchless, compact)
//! and the access capabilities (iterate, locate, append, insert). A level format is a row of
//! [`LEVEL_FORMATS`]; the rest of the project asks the row and never matches on [`LevelKind`].

use crate::check::error;
use crate::{FormatError, text::number};
use std::fmt;
use std::str::FromStr;

/// Identifies a row of [`LEVEL_FORMATS`]; a bit vector carries the width of its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelKind {
    Dense,
    CompressedUnique,
    CompressedNonUnique,
    Singleton,
    BitVector(u32),
    Range,
    Hashed,
}

/// What a level format stores and can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelFormat {
    /// The kind that identifies the row, with the default width of its words.
    pub kind: LevelKind,
    /// The word of the language and of the text form, such as `CU`.
    pub word: &'static str,
    /// The name in prose, such as "compressed".
    pub name: &'static str,
    /// The constant of `include/comet.h`.
    pub c_name: &'static str,
    /// The arrays, in the order in which they are printed.
    pub arrays: &'static [LevelArray],
    /// Every coordinate is stored under every parent.
    pub full: bool,
    /// The coordinates under one parent ascend.
    pub ordered: bool,
    /// No coordinate is stored twice under one parent.
    pub unique: bool,
    /// Each parent has exactly one child, at its own position; such a level needs a parent.
    pub branchless: bool,
    /// Every position holds a coordinate; otherwise those that hold none have the coordinate −1.
    pub compact: bool,
    /// Where the children of a parent are.
    pub children: Children,
    /// How a loop over the children finds their coordinates.
    pub iterate: Iterate,
    /// How the child with a given coordinate is found.
    pub locate: Locate,
    /// Whether coordinates can be stored one after the other in storage order.
    pub append: Append,
    /// Whether coordinates can be stored in any order, each at a position that depends on it alone.
    pub insert: bool,
}

/// An array of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelArray {
    /// The position at which each parent's children begin, and one more entry for the end of the last.
    Pos,
    /// The coordinate at each position.
    Crd,
    /// One bit for each coordinate under each parent, in words of the kind's width.
    Words,
    /// The first coordinate under each parent; 0 under one without children.
    Start,
}

/// Where the children of the parent at position p are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Children {
    /// At p·size up to (p + 1)·size.
    Every,
    /// At `pos[p]` up to `pos[p + 1]`.
    Segment,
    /// At p alone.
    One,
}

/// How a loop over children finds their coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Iterate {
    /// The loop counts coordinates; positions follow from them.
    ByCoordinate,
    /// The loop counts positions and loads the coordinate at each from `crd`.
    ByPosition,
    /// The loop goes over the set bits of `words`, and counts positions along.
    ByBit,
}

/// How the child with a given coordinate is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Locate {
    /// Not better than by a loop.
    None,
    /// By arithmetic on the coordinate.
    Arithmetic,
    /// By binary search in the ordered fiber.
    Bisect,
    /// By its bit, and the number of bits set before it.
    Rank,
    /// By probing from the slot that [`crate::hash::slot`] returns, in constant time.
    Hash,
}

/// Whether coordinates can be appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Append {
    /// Not at all.
    None,
    /// With the coordinates of the levels right below that join.
    Opens,
    /// With the coordinate of the level above.
    Joins,
}

const DENSE: LevelFormat = LevelFormat {
    kind: LevelKind::Dense,
    word: "D",
    name: "dense",
    c_name: "COMET_DENSE",
    arrays: &[],
    full: true,
    ordered: true,
    unique: true,
    branchless: false,
    compact: true,
    children: Children::Every,
    iterate: Iterate::ByCoordinate,
    locate: Locate::Arithmetic,
    append: Append::None,
    insert: true,
};

const COMPRESSED_UNIQUE: LevelFormat = LevelFormat {
    kind: LevelKind::CompressedUnique,
    word: "CU",
    name: "compressed",
    c_name: "COMET_COMPRESSED",
    arrays: &[LevelArray::Pos, LevelArray::Crd],
    full: false,
    ordered: true,
    unique: true,
    branchless: false,
    compact: true,
    children: Children::Segment,
    iterate: Iterate::ByPosition,
    locate: Locate::Bisect,
    append: Append::Opens,
    insert: false,
};

/// Has one position for each distinct tuple of its coordinate and those of the singletons right below.
const COMPRESSED_NON_UNIQUE: LevelFormat = LevelFormat {
    kind: LevelKind::CompressedNonUnique,
    word: "CN",
    name: "compressed, non-unique",
    c_name: "COMET_COMPRESSED_NON_UNIQUE",
    unique: false,
    locate: Locate::None,
    ..COMPRESSED_UNIQUE
};

/// Is compact in Chou et al.; below the slots of ELL ours has positions without a coordinate.
const SINGLETON: LevelFormat = LevelFormat {
    kind: LevelKind::Singleton,
    word: "S",
    name: "singleton",
    c_name: "COMET_SINGLETON",
    arrays: &[LevelArray::Crd],
    full: false,
    ordered: true,
    unique: false,
    branchless: true,
    compact: false,
    children: Children::One,
    iterate: Iterate::ByPosition,
    locate: Locate::None,
    append: Append::Joins,
    insert: false,
};

/// The bit vectors of SAM (section 4.3 of its paper).
const BIT_VECTOR: LevelFormat = LevelFormat {
    kind: LevelKind::BitVector(64),
    word: "BV",
    name: "bit vector",
    c_name: "COMET_BIT_VECTOR",
    arrays: &[LevelArray::Pos, LevelArray::Words],
    iterate: Iterate::ByBit,
    locate: Locate::Rank,
    append: Append::None,
    ..COMPRESSED_UNIQUE
};

/// All coordinates from the first to the last one under each parent: bands, triangles, skylines.
const RANGE: LevelFormat = LevelFormat {
    kind: LevelKind::Range,
    word: "R",
    name: "range",
    c_name: "COMET_RANGE",
    arrays: &[LevelArray::Pos, LevelArray::Start],
    iterate: Iterate::ByCoordinate,
    locate: Locate::Arithmetic,
    append: Append::None,
    ..COMPRESSED_UNIQUE
};

/// A hash table under each parent ([`crate::hash`]), whose empty slots hold no coordinate.
const HASHED: LevelFormat = LevelFormat {
    kind: LevelKind::Hashed,
    word: "H",
    name: "hashed",
    c_name: "COMET_HASHED",
    ordered: false,
    compact: false,
    locate: Locate::Hash,
    append: Append::None,
    insert: true,
    ..COMPRESSED_UNIQUE
};

/// The level formats that exist; a row's index is its [`LevelKind::id`].
pub const LEVEL_FORMATS: &[LevelFormat] =
    &[DENSE, COMPRESSED_UNIQUE, COMPRESSED_NON_UNIQUE, SINGLETON, BIT_VECTOR, RANGE, HASHED];

impl LevelKind {
    /// Returns the number by which MLIR attributes name the kind; the C ABI adds one.
    pub const fn id(self) -> u32 {
        match self {
            Self::Dense => 0,
            Self::CompressedUnique => 1,
            Self::CompressedNonUnique => 2,
            Self::Singleton => 3,
            Self::BitVector(_) => 4,
            Self::Range => 5,
            Self::Hashed => 6,
        }
    }

    /// Returns the kind with an id, or `None` where there is none; only bit vectors look at `word_bits`.
    pub fn from_id(id: u32, word_bits: u32) -> Option<Self> {
        let kind = LEVEL_FORMATS.get(id as usize)?.kind;
        Some(if kind.word_bits().is_some() { Self::BitVector(word_bits) } else { kind })
    }

    pub fn format(self) -> &'static LevelFormat {
        &LEVEL_FORMATS[self.id() as usize]
    }

    /// Returns the width of the words of a bit vector.
    pub fn word_bits(self) -> Option<u32> {
        match self {
            Self::BitVector(bits) => Some(bits),
            _ => None,
        }
    }

    pub fn word(self) -> &'static str {
        self.format().word
    }

    pub fn arrays(self) -> &'static [LevelArray] {
        self.format().arrays
    }

    pub fn has(self, array: LevelArray) -> bool {
        self.arrays().contains(&array)
    }

    /// Returns the array beside `pos`, which storage keeps in the place of `crd`.
    pub fn coordinate_array(self) -> Option<LevelArray> {
        self.arrays().iter().copied().find(|array| *array != LevelArray::Pos)
    }

    pub fn is_full(self) -> bool {
        self.format().full
    }

    pub fn is_ordered(self) -> bool {
        self.format().ordered
    }

    pub fn is_unique(self) -> bool {
        self.format().unique
    }

    pub fn is_branchless(self) -> bool {
        self.format().branchless
    }

    pub fn is_compact(self) -> bool {
        self.format().compact
    }

    pub fn children(self) -> Children {
        self.format().children
    }

    pub fn iterate(self) -> Iterate {
        self.format().iterate
    }

    pub fn locate(self) -> Locate {
        self.format().locate
    }

    /// Returns whether the child with a given coordinate is found in constant time.
    pub fn locates_in_constant_time(self) -> bool {
        matches!(self.locate(), Locate::Arithmetic | Locate::Hash)
    }

    /// Returns whether the coordinate at any position is read without those before it.
    pub fn reads_any_position(self) -> bool {
        self.iterate() != Iterate::ByBit
    }

    /// Returns whether each stored coordinate is in an array: as a number of `crd` or as a bit of `words`.
    pub fn lists_coordinates(self) -> bool {
        self.has(LevelArray::Crd) || self.has(LevelArray::Words)
    }

    pub fn append(self) -> Append {
        self.format().append
    }

    pub fn inserts(self) -> bool {
        self.format().insert
    }

    /// Returns whether the coordinates of a fiber ascend along a segment of positions without gaps, so that
    /// fibers can be merged by positions, searched, and divided.
    pub fn has_sorted_fibers(self) -> bool {
        let format = self.format();
        format.ordered && format.compact && format.children == Children::Segment && self.reads_any_position()
    }

    /// Returns whether a fiber has sorted positions and holds each coordinate once.
    pub fn has_sets_as_fibers(self) -> bool {
        self.has_sorted_fibers() && self.is_unique()
    }

    /// Returns whether a fiber is a sorted segment of `crd` that holds each coordinate once.
    pub fn has_sets_in_crd(self) -> bool {
        self.has_sets_as_fibers() && self.has(LevelArray::Crd)
    }
}

impl FromStr for LevelKind {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        let (word, bits) = match text.strip_suffix('>').and_then(|text| text.split_once('<')) {
            Some((word, bits)) => (word, Some(bits)),
            None => (text, None),
        };
        let is_meant = |format: &&LevelFormat| {
            format.word == word && format.kind.word_bits().is_some() == bits.is_some()
        };
        match (LEVEL_FORMATS.iter().find(is_meant), bits) {
            (Some(format), None) => Ok(format.kind),
            // A width that does not fit 32 bits is refused with the other wrong widths, by the check.
            (Some(_), Some(bits)) => Ok(Self::BitVector(u32::try_from(number(bits)?).unwrap_or(u32::MAX))),
            (None, _) => {
                let expected = level_words(|_| true, " or ", "<bits>");
                error(format!("expected a level {expected}, found `{text}`"))
            }
        }
    }
}

/// Lists the words of the level formats that have a property, for messages: `` `D`, `CU` or `BV<b>` `` where
/// the conjunction is " or " and the argument of formats with words of bits is written as `<b>`.
pub fn level_words(has: impl Fn(&LevelFormat) -> bool, conjunction: &str, argument: &str) -> String {
    let word = |format: &LevelFormat| match format.kind.word_bits() {
        Some(_) => format!("`{}{argument}`", format.word),
        None => format!("`{}`", format.word),
    };
    let words: Vec<String> = LEVEL_FORMATS.iter().filter(|format| has(format)).map(word).collect();
    let (last, others) = words.split_last().expect("some format has the property");
    format!("{}{conjunction}{last}", others.join(", "))
}

impl fmt::Display for LevelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.word_bits() {
            Some(bits) => write!(f, "{}<{bits}>", self.word()),
            None => f.write_str(self.word()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_the_rows_of_the_table() {
        for (row, format) in LEVEL_FORMATS.iter().enumerate() {
            assert_eq!(format.kind.id() as usize, row);
            assert_eq!(LevelKind::from_id(format.kind.id(), 64), Some(format.kind));
            assert_eq!(format.kind.to_string().parse(), Ok(format.kind));
        }
        assert_eq!(LevelKind::from_id(4, 3), Some(LevelKind::BitVector(3)));
        assert_eq!(LevelKind::from_id(LEVEL_FORMATS.len() as u32, 0), None);
        assert_eq!(level_words(|format| !format.unique, " or ", "<bits>"), "`CN` or `S`");
    }

    /// What one column says must not contradict the others.
    #[test]
    fn rows_agree_with_themselves() {
        for LevelFormat { kind, arrays, full, branchless, children, iterate, locate, ordered, .. } in
            LEVEL_FORMATS
        {
            assert_eq!(*full, *children == Children::Every, "{kind}");
            assert_eq!(*branchless, *children == Children::One, "{kind}");
            assert_eq!(arrays.contains(&LevelArray::Pos), *children == Children::Segment, "{kind}");
            assert_eq!(arrays.contains(&LevelArray::Crd), *iterate == Iterate::ByPosition, "{kind}");
            assert_eq!(
                arrays.contains(&LevelArray::Start),
                (*children, *iterate) == (Children::Segment, Iterate::ByCoordinate),
                "{kind}"
            );
            assert_eq!(arrays.contains(&LevelArray::Words), *iterate == Iterate::ByBit, "{kind}");
            assert!(*ordered || *locate != Locate::Bisect, "{kind}");
        }
    }

    /// The README shows the table as it is.
    #[test]
    fn the_readme_shows_every_row() {
        let yes = |is_so: bool| if is_so { "yes" } else { "no" };
        for row in LEVEL_FORMATS {
            let arrays: String = row.arrays.iter().map(|array| format!(" {array:?}")).collect();
            let properties =
                [row.full, row.ordered, row.unique, row.branchless, row.compact].map(yes).join(" | ");
            let line = format!(
                "| `{}` |{arrays} | {properties} | {:?} | {:?} | {:?} | {:?} | {} |\n",
                row.word,
                row.children,
                row.iterate,
                row.locate,
                row.append,
                yes(row.insert)
            );
            assert!(include_str!("../README.md").contains(&line), "{line}");
        }
    }
}
