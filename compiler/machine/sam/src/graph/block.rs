//! The kinds of blocks and their attributes. JSON has the fields as they are declared here.

use super::{Element, Function, GraphLevel, Operator, Reduction, StreamKind};
use crate::named::{named_enum, serialize_name};
use comet_notation::Patterns;

/// The blocks of sam.txt sections 3 and 4.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum BlockKind {
    /// Definition 3.1: the fibers of one level of a tensor.
    Scanner(Scanner),
    /// Definition 3.4: a reference, once for each signal.
    Repeat(Repeat),
    /// The signals of a repeater: one for each coordinate of the index variable.
    RepeatSignal {
        index: String,
    },
    /// Definitions 3.2 and 3.3: coordinates of several operands, with their references.
    Join(Join),
    /// Definition 4.2: words of bits of coordinates.
    ToWords(ToWords),
    /// Section 4.4: deals the elements of fibers out to several streams.
    Parallelize(Parallelize),
    /// Section 4.4: makes one stream of several.
    Serialize(Serialize),
    /// Section 4.1: brings what is below a reference from memory.
    Fetch(Fetch),
    /// Definition 3.5: a tensor's values.
    Array {
        tensor: String,
        /// Whether it loads the one value of a scalar, so that it reads no references but the root's.
        root: bool,
    },
    /// Definition 4.1: references to the coordinates that another stream has.
    Locate(Locate),
    Alu(Alu),
    Apply(Apply),
    /// Values where a mask lets them through, and empty tokens elsewhere.
    Mask(ValueMask),
    /// Definition 3.7 with n = 0: the sum of each innermost fiber.
    Reduce(Reduce),
    /// Definition 3.7 with n > 0: points with equal coordinates are added up.
    Accumulate(Accumulate),
    /// Definition 3.9: drops the outer coordinates under which there is nothing.
    Drop {
        outer: String,
        inner: String,
        #[serde(flatten)]
        what: Dropped,
    },
    /// An outer coordinate, once for each inner one.
    Hold {
        outer: String,
        inner: String,
    },
    /// Definition 3.8: stores the coordinates of one level.
    WriteLevel(WriteLevel),
    WriteValues(WriteValues),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelAccess<'k> {
    pub(crate) index: &'k str,
    pub(crate) tensor: &'k str,
    pub(crate) mode: usize,
}

impl BlockKind {
    pub(crate) fn level_access(&self) -> Option<LevelAccess<'_>> {
        let (index, tensor, mode) = match self {
            Self::Scanner(Scanner { index, tensor, mode, .. })
            | Self::Locate(Locate { index, tensor, mode, .. })
            | Self::WriteLevel(WriteLevel { index, tensor, mode, .. }) => (index, tensor, *mode),
            _ => return None,
        };
        Some(LevelAccess { index, tensor, mode })
    }

    pub(crate) fn tensor(&self) -> Option<&str> {
        match self {
            Self::Repeat(Repeat { tensor, .. })
            | Self::Array { tensor, .. }
            | Self::Fetch(Fetch { tensor, .. })
            | Self::WriteValues(WriteValues { tensor, .. }) => Some(tensor),
            _ => self.level_access().map(|of| of.tensor),
        }
    }

    pub(crate) fn is_writer(&self) -> bool {
        matches!(self, Self::WriteLevel(_) | Self::WriteValues(_))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Scanner {
    pub index: String,
    pub tensor: String,
    pub mode: usize,
    #[serde(flatten)]
    pub level: GraphLevel,
    /// Whether it scans the tensor's first level, so that it reads no references but the root's.
    pub root: bool,
    /// Whether an intersecter sends it the coordinate that is needed next, and it leaves out those before
    /// (section 4.2).
    pub skips: bool,
}

/// A locator. It puts an empty token for the reference where its level has nothing at a coordinate.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Locate {
    pub index: String,
    /// An operand, or a result with dense levels, which values are scattered into.
    pub tensor: String,
    pub mode: usize,
    #[serde(flatten)]
    pub level: GraphLevel,
    /// Whether it is the tensor's first level, so that it reads coordinates only; otherwise there is a
    /// reference to a fiber for each of them.
    pub root: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Repeat {
    pub index: String,
    pub tensor: String,
    /// Whether it repeats the root of the tensor, so that it reads signals only.
    pub root: bool,
    /// References, or the values that a reducer puts out.
    pub carries: StreamKind,
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Join {
    #[serde(skip)]
    pub how: Merge,
    pub index: String,
    pub operands: Vec<JoinOperand>,
    /// The number of bits where words come in instead of coordinates, with a reference for each. Words of one
    /// operand are only taken apart.
    pub width: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct JoinOperand {
    pub name: String,
    /// What comes with its coordinates: references, or the values that a reducer puts out.
    pub carries: StreamKind,
    /// Whether an intersecter sends its scanner the coordinate that is needed next.
    pub skips: bool,
}

/// A converter to bit vectors. Every fiber becomes all of its words, also those without bits.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ToWords {
    pub index: String,
    pub width: u32,
    /// Whether references come with the coordinates. They follow one another in a fiber, and the reference of
    /// a word is the one of its first bit.
    pub refs: bool,
}

/// A parallelizer: the first element of a fiber goes to the first output, the next to the next, and so on;
/// stops go to all.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Parallelize {
    pub index: String,
    pub factor: usize,
    pub carries: StreamKind,
}

/// A serializer: what belongs to the coordinates of several streams, in the order of the coordinates.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Serialize {
    pub index: String,
    pub factor: usize,
    /// What moves besides; the coordinates themselves if nothing does.
    #[serde(flatten, serialize_with = "carried")]
    pub carries: Option<Carried>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    pub kind: StreamKind,
    /// The levels of fibers of each coordinate; 0 for a single token.
    pub depth: usize,
}

fn carried<S: serde::Serializer>(carries: &Option<Carried>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(serde::Serialize)]
    struct Fields {
        carries: Option<StreamKind>,
        depth: Option<usize>,
    }
    let (carries, depth) = carries.map(|Carried { kind, depth }| (kind, depth)).unzip();
    serde::Serialize::serialize(&Fields { carries, depth }, serializer)
}

/// Brings the part of a tensor that is below a reference to where it is read, and lets the reference through
/// when it is there: a tile, in a memory of finite size (section 6.4).
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Fetch {
    pub tensor: String,
    pub mode: usize,
}

named_enum! {
    pub enum Merge {
        Intersect = "intersect",
        Union = "union",
    }
}

impl Merge {
    /// Returns how an operator merges the patterns of its operands where nothing else is said.
    pub fn of(operator: Operator) -> Self {
        match operator.infix_patterns() {
            Patterns::Union => Self::Union,
            Patterns::Intersection => Self::Intersect,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Alu {
    #[serde(serialize_with = "serialize_name")]
    pub operator: Operator,
    #[serde(serialize_with = "serialize_name")]
    pub element: Element,
    /// What an empty token makes of the other operand: in a union it counts as 0, in an intersection nothing
    /// comes out but an empty token.
    pub how: Merge,
}

impl Alu {
    /// Returns an operator that merges the patterns of its operands as it does where nothing else is said.
    pub fn new(operator: Operator, element: Element) -> Self {
        Self { operator, element, how: Merge::of(operator) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Apply {
    #[serde(flatten)]
    pub function: Function,
    #[serde(serialize_with = "serialize_name")]
    pub element: Element,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ValueMask {
    pub kept: Kept,
    #[serde(serialize_with = "serialize_name")]
    pub element: Element,
}

named_enum! {
    pub enum Kept {
        Stored = "stored",
        NotStored = "not-stored",
        NotZero = "not-zero",
        Zero = "zero",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Reduce {
    #[serde(serialize_with = "serialize_name")]
    pub reduction: Reduction,
    #[serde(serialize_with = "serialize_name")]
    pub element: Element,
    pub empty: EmptyFiber,
    pub inputs: usize,
}

named_enum! {
    /// What a reducer makes of a fiber in which there is nothing (sam.txt definition 3.7).
    pub enum EmptyFiber {
        /// The identity of the reduction: 0 of a sum.
        Zero = "zero",
        /// Nothing at all: its stop goes as well.
        Removed = "removed",
        /// An empty token, or of a reducer that keeps points an empty fiber, so that what comes out goes with
        /// the coordinates around. The reducer of single values needs to see those.
        Absent = "absent",
        /// An empty token for each stop that ends an innermost fiber. Of use where there is always one: at
        /// the root.
        Token = "token",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "drops", content = "element")]
pub enum Dropped {
    /// Coordinates whose inner fiber is empty.
    #[serde(rename = "empty fibers")]
    EmptyFibers,
    /// Coordinates whose inner fiber has no value.
    #[serde(rename = "empty fibers of values")]
    EmptyFibersOfValues,
    /// Coordinates with an empty token for a value.
    #[serde(rename = "absent")]
    Absent,
    /// The same, and coordinates whose value, of this type, is zero.
    #[serde(rename = "zeros")]
    Zeros(#[serde(serialize_with = "serialize_name")] Element),
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Accumulate {
    /// The number of the innermost index variables that it keeps in memory; it puts out what it has when a
    /// coordinate outside of them changes.
    pub order: usize,
    /// The index variables, the innermost first.
    pub indices: Vec<String>,
    pub form: CoordinateForm,
    /// What becomes of a fiber of the reduced variable in which there is nothing; points have none.
    pub empty: EmptyFiber,
    #[serde(serialize_with = "serialize_name")]
    pub reduction: Reduction,
    #[serde(serialize_with = "serialize_name")]
    pub element: Element,
    pub inputs: usize,
}

named_enum! {
    pub enum CoordinateForm {
        /// One of each for every value: outer ones are held. Coordinates outside of the order's may be there
        /// too.
        Points = "points",
        /// The coordinates of the levels, as definition 3.7 has them: an outer coordinate stands for a fiber
        /// of inner ones. As many as the order says, and what is added up ends with the fiber around them.
        Levels = "levels",
    }
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct WriteLevel {
    pub index: String,
    pub tensor: String,
    pub mode: usize,
    #[serde(flatten)]
    pub level: GraphLevel,
    pub fibers: FiberNesting,
}

named_enum! {
    #[derive(Default)]
    pub enum FiberNesting {
        #[default]
        Nested = "nested",
        /// One for each coordinate: the level repeats the index variable of the level above.
        Single = "single",
    }
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct WriteValues {
    pub tensor: String,
    /// Elements that are not written, or by an empty token, hold the identity of this reduction: 0 of a sum.
    #[serde(serialize_with = "serialize_name")]
    pub fill: Reduction,
    #[serde(serialize_with = "serialize_name")]
    pub element: Element,
    pub places: ValuePlacement,
}

named_enum! {
    #[derive(Default)]
    pub enum ValuePlacement {
        #[default]
        InOrder = "in-order",
        /// At references, which it also reads: a result of dense levels is scattered into.
        Scattered = "scattered",
        /// At references, and the elements that nothing is written to keep what the result held before.
        Kept = "kept",
    }
}
