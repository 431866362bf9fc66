//! A dataflow graph: blocks, and the streams between their ports (sam.txt sections 3 and 4).
//!
//! The graph is plain data. Lowering and the files of graphs make it, the simulator and the writers of files
//! take it. A stream has one source and any number of readers: the broadcast of SAM's files is no block here.

mod binary;
mod elements;
mod names;
mod numbers;
pub(crate) mod order;
mod ports;
mod references;
mod sams;
mod skip;
pub(crate) mod sources;
mod tensor;
mod wiring;
mod words;

use crate::dot::label::title;

pub use crate::arithmetic::{Constant, Element, Function, Operator, Reduction};
pub use ports::Port;
pub use sams::Foreign;
pub use tensor::{Level, TensorFormat};
pub use wiring::WiringError;

/// How many lanes, copies and inputs a block has at most: far more than any machine, and few enough for a
/// text of one line.
pub const MOST: usize = 1024;

/// A whole graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The result, then the operands in order of first use; a tensor that is used twice is there twice.
    pub tensors: Vec<TensorFormat>,
    /// The blocks, in no particular order.
    pub blocks: Vec<Block>,
    /// The streams; no two start at the same port.
    pub streams: Vec<Stream>,
}

impl Graph {
    /// Whether it reads what its result held before, whose elements it keeps where it writes none.
    pub fn keeps_elements(&self) -> bool {
        let keeps = |kind: &Kind| matches!(kind, Kind::WriteValues(write) if write.places == Places::Kept);
        self.blocks.iter().any(|block| keeps(&block.kind))
    }

    /// The index variable of a tensor's mode: where that is scanned, located or written.
    pub fn index(&self, tensor: &str, mode: usize) -> Option<&str> {
        let of = |other: &str, own: usize| other == tensor && own == mode;
        self.blocks.iter().find_map(|block| match &block.kind {
            Kind::Scanner(scanner) if of(&scanner.tensor, scanner.mode) => Some(scanner.index.as_str()),
            Kind::Locate(locate) if of(&locate.tensor, locate.mode) => Some(locate.index.as_str()),
            Kind::WriteLevel(write) if of(&write.tensor, write.mode) => Some(write.index.as_str()),
            _ => None,
        })
    }

    /// Whether it brings tiles, which a finite memory is about.
    pub fn has_tiles(&self) -> bool {
        self.blocks.iter().any(|block| matches!(block.kind, Kind::Fetch(_)))
    }
}

/// An index into the blocks of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub usize);

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What messages and reports call it; unique in its graph.
    pub name: String,
    /// What it does.
    pub kind: Kind,
    /// How many tokens it moves in a cycle at most, on buses of so many wires (section 4.4).
    pub lanes: usize,
}

impl Block {
    /// One that is named by what it does and by its number in the graph, and moves a token a cycle.
    pub fn numbered(kind: Kind, number: usize) -> Self {
        Self { name: format!("{} ({number})", title(&kind)), kind, lanes: 1 }
    }
}

/// What moves on a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StreamKind {
    /// Coordinates.
    Crd,
    /// References: positions in the next level or in the values.
    Ref,
    /// Values.
    Val,
    /// Signals to repeat.
    Repsig,
    /// Words of bits.
    Bv,
}

/// A stream from a block's output to the inputs that read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// What moves on it.
    pub kind: StreamKind,
    /// Where it comes from.
    pub from: (BlockId, Port),
    /// Where it goes.
    pub to: Vec<(BlockId, Port)>,
}

/// The blocks of sam.txt sections 3 and 4.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Definition 3.1: the fibers of one level of a tensor.
    Scanner(Scanner),
    /// Definition 3.4: a reference, once for each signal.
    Repeat(Repeat),
    /// The signals of a repeater: one for each coordinate.
    RepeatSignal {
        /// The index variable of the coordinates.
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
        /// The tensor.
        tensor: String,
        /// Whether it loads the one value of a scalar, so that it reads no references but the root's.
        root: bool,
    },
    /// Definition 4.1: references to the coordinates that another stream has.
    Locate(Locate),
    /// Definition 3.6: an operator on values.
    Alu(Alu),
    /// A function of values.
    Apply(Apply),
    /// Values where a mask lets them through, and empty tokens elsewhere.
    Mask(Mask),
    /// Definition 3.7 with n = 0: the sum of each innermost fiber.
    Reduce(Reduce),
    /// Definition 3.7 with n > 0: points with equal coordinates are added up.
    Accumulate(Accumulate),
    /// Definition 3.9: outer coordinates under which there is nothing are left out.
    Drop {
        /// The index variable of the outer coordinates.
        outer: String,
        /// The index variable of the inner ones.
        inner: String,
        /// Under what.
        what: Dropped,
    },
    /// An outer coordinate, once for each inner one.
    Hold {
        /// The index variable of the outer coordinates.
        outer: String,
        /// The index variable of the inner ones.
        inner: String,
    },
    /// Definition 3.8: stores the coordinates of one level.
    WriteLevel(WriteLevel),
    /// Definition 3.8: stores the values.
    WriteValues(WriteValues),
}

/// A level scanner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scanner {
    /// The index variable that it walks.
    pub index: String,
    /// The tensor.
    pub tensor: String,
    /// The mode of the tensor that the level stores.
    pub mode: usize,
    /// How the level is stored.
    pub level: Level,
    /// Whether it scans the tensor's first level, so that it reads no references but the root's.
    pub root: bool,
    /// Whether it is told by an intersecter which coordinate is needed next, and leaves out those before
    /// (section 4.2).
    pub skips: bool,
}

/// A locator. Where its level has nothing at a coordinate it puts an empty token for the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locate {
    /// The index variable of the coordinates.
    pub index: String,
    /// The tensor: an operand, or a result with dense levels, which values are scattered into.
    pub tensor: String,
    /// The mode of the tensor that the level stores.
    pub mode: usize,
    /// How the level is stored.
    pub level: Level,
    /// Whether it is the tensor's first level, so that it reads coordinates only; otherwise there is a
    /// reference to a fiber for each of them.
    pub root: bool,
}

/// A repeater.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The index variable that is repeated over.
    pub index: String,
    /// The tensor whose references are repeated.
    pub tensor: String,
    /// Whether it repeats the root of the tensor, so that it reads signals only.
    pub root: bool,
    /// References, or the values behind a reducer.
    pub carries: StreamKind,
}

/// An intersecter or a unioner of any number of operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    /// Which of them.
    pub how: How,
    /// The index variable of the coordinates.
    pub index: String,
    /// The operands, in order.
    pub operands: Vec<Operand>,
    /// Where words of so many bits come in, with a reference for each, instead of coordinates. Those of one
    /// operand are only taken apart.
    pub width: Option<u32>,
}

/// An operand of a joiner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// What it is called; a tensor's name, mostly.
    pub name: String,
    /// What comes with its coordinates: references, or the values behind a reducer.
    pub carries: StreamKind,
    /// Whether an intersecter tells its scanner which coordinate is needed next.
    pub skips: bool,
}

/// A converter to bit vectors. Every fiber becomes all of its words, those without bits too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToWords {
    /// The index variable of the coordinates.
    pub index: String,
    /// How many bits a word has.
    pub width: u32,
    /// Whether references come with the coordinates. They follow one another in a fiber, and that of a word
    /// is the one of its first bit.
    pub refs: bool,
}

/// A parallelizer: the first element of a fiber goes to the first output, the next to the next, and so on;
/// stops go to all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parallelize {
    /// The index variable of the elements.
    pub index: String,
    /// How many outputs there are.
    pub factor: usize,
    /// What moves.
    pub carries: StreamKind,
}

/// A serializer: what belongs to the coordinates of several streams, in the order of those.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Serialize {
    /// The index variable of the coordinates.
    pub index: String,
    /// How many streams of them there are.
    pub factor: usize,
    /// What moves besides; the coordinates themselves if nothing does.
    pub carries: Option<Carried>,
}

/// What belongs to the coordinates of a serializer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// What it is.
    pub kind: StreamKind,
    /// How many levels of fibers each coordinate has; 0 for a single token.
    pub depth: usize,
}

/// Brings the part of a tensor that is below a reference to where it is read, and lets the reference through
/// when it is there: a tile, in a memory of finite size (section 6.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetch {
    /// The tensor.
    pub tensor: String,
    /// The mode of its outermost level that is brought.
    pub mode: usize,
}

/// How coordinates are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Those of all operands.
    Intersect,
    /// Those of any operand.
    Union,
}

/// An operator on two streams of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alu {
    /// What it computes.
    pub operator: Operator,
    /// Of what.
    pub element: Element,
    /// What an empty token makes of the other operand: where patterns unite it counts as 0, where they
    /// intersect nothing comes out but an empty token.
    pub how: How,
}

/// A function of a stream of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Apply {
    /// What it computes.
    pub function: Function,
    /// Of what.
    pub element: Element,
}

/// Lets values through by another stream of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask {
    /// Which values come out.
    pub kept: Kept,
    /// What the values of the mask are.
    pub element: Element,
}

/// Which values a mask lets through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Those where the mask has a value.
    Stored,
    /// Those where it has none.
    NotStored,
    /// Those where its value is not 0.
    NotZero,
    /// Those where it has none, or 0.
    Zero,
}

/// The reducer that keeps one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduce {
    /// How values become one.
    pub reduction: Reduction,
    /// What they are.
    pub element: Element,
    /// What becomes of a fiber in which there is nothing.
    pub empty: EmptyFiber,
    /// How many streams of values come in; they end their fibers together.
    pub inputs: usize,
}

/// What a reducer makes of a fiber in which there is nothing (sam.txt definition 3.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyFiber {
    /// The identity of the reduction: 0 of a sum.
    Zero,
    /// Nothing at all: its stop goes as well.
    Removed,
    /// An empty token, or of a reducer that keeps points an empty fiber, so that what comes out goes with the
    /// coordinates around. The reducer of single values needs to see those.
    Absent,
    /// An empty token for each stop that ends an innermost fiber. Of use where there is always one: at the
    /// root.
    Token,
}

/// What a dropper leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// Coordinates whose inner fiber is empty.
    EmptyFibers,
    /// Coordinates whose inner fiber has no value.
    EmptyFibersOfValues,
    /// Coordinates with an empty token for a value.
    Absent,
    /// The same, and those whose value, of this type, is zero.
    Zeros(Element),
}

/// A reducer that keeps points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accumulate {
    /// How many of the innermost index variables it keeps in memory; when a coordinate outside of them
    /// changes, it gives away what it has.
    pub order: usize,
    /// The index variables, the innermost first.
    pub indices: Vec<String>,
    /// What the streams of coordinates are.
    pub form: Form,
    /// What becomes of a fiber of the reduced variable in which there is nothing; points have none.
    pub empty: EmptyFiber,
    /// How values become one.
    pub reduction: Reduction,
    /// What they are.
    pub element: Element,
    /// How many such tensors come in side by side; they end together.
    pub inputs: usize,
}

/// What the coordinates of a reducer are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Those of the levels, as definition 3.7 has them: an outer coordinate stands for a fiber of inner
    /// ones. As many as the order says, and what is added up ends with the fiber around them.
    Levels,
    /// One of each for every value: outer ones are held. Those outside of the order's may be there too.
    Points,
}

/// A level writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteLevel {
    /// The index variable of the coordinates.
    pub index: String,
    /// The tensor.
    pub tensor: String,
    /// The mode of the tensor that the level stores.
    pub mode: usize,
    /// How the level is stored.
    pub level: Level,
    /// What its fibers are.
    pub fibers: Fibers,
}

/// What the fibers of a level writer are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fibers {
    /// Those of the stream.
    #[default]
    Nested,
    /// One for each coordinate: the level repeats the index variable of the level above.
    Single,
}

/// A writer of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteValues {
    /// The tensor.
    pub tensor: String,
    /// Elements that are not written, or by an empty token, hold the identity of this reduction: 0 of a sum.
    pub fill: Reduction,
    /// What the values are.
    pub element: Element,
    /// Where values go.
    pub places: Places,
}

/// Where a writer puts its values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Places {
    /// One behind the other.
    #[default]
    InOrder,
    /// At references, which it also reads: a result of dense levels is scattered into.
    Scattered,
    /// At references, and the elements that nothing is written to keep what the result held before.
    Kept,
}
