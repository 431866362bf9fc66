//! An application with every name resolved: what the machine executes.
//!
//! Values are in numbered slots, memories have numbers, types are settled. Nothing in here refers to a name
//! but for messages.

use super::outcome::{BitVectorReport, FifoReport, PatternReport, TransferReport};
use super::scalar::{Binary, Unary};
use crate::app::Scalar;
use comet_diag::Span;

#[derive(Default)]
pub(super) struct ExecutableProgram {
    /// The host's statements, the accelerator's, and the host's again.
    pub(super) block: BlockSteps,
    pub(super) slots: usize,
    pub(super) arrays: Vec<ArrayInfo>,
    pub(super) fifos: Vec<FifoReport>,
    /// What is reported of each, with nothing counted so far.
    pub(super) patterns: Vec<PatternReport>,
    pub(super) transfers: Vec<TransferReport>,
    pub(super) bit_vectors: Vec<BitVectorReport>,
    /// How many patterns run iterations in parallel that have to be independent.
    pub(super) guards: usize,
    /// The arguments that the accelerator sets: their names, slots and types.
    pub(super) arg_outs: Vec<(String, usize, Scalar)>,
}

/// A memory with addresses: on chip, in DRAM, or the host's.
pub(super) struct ArrayInfo {
    pub(super) name: String,
    pub(super) kind: ArrayKind,
    pub(super) element: Scalar,
    pub(super) span: Span,
    /// The parameter of the class that its size is made of, if there is one.
    pub(super) sized_by: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArrayKind {
    Sram,
    SparseSram,
    Dram,
    /// Single elements of a `DRAM`, under another name.
    SparseDram,
    Host,
}

/// Statements, and the FIFOs that have to be empty behind them.
#[derive(Default)]
pub(super) struct BlockSteps {
    pub(super) steps: Vec<Instruction>,
    pub(super) fifos: Vec<usize>,
}

pub(super) enum Instruction {
    /// A `val`, a register at its declaration, `r := x`, `setArg(n, x)`.
    Assign {
        slot: usize,
        value: Node,
    },
    /// A memory begins anew.
    Allocate {
        array: usize,
        size: Node,
        span: Span,
    },
    Write(Box<Write>),
    /// A value that nobody uses: a modification in place.
    Evaluate(Node),
    Enqueue {
        fifo: usize,
        value: Node,
        enable: Option<Node>,
    },
    Transfer(Box<Transfer>),
    GenBits(Box<GenBits>),
    Foreach(Box<PatternSteps>),
    Reduce(Box<Reduce>),
    MemReduce(Box<MemReduce>),
    If {
        condition: Node,
        then: BlockSteps,
        otherwise: BlockSteps,
    },
    /// All that the accelerator does.
    Block(Box<BlockSteps>),
    /// An array of the host becomes what a file has.
    Read {
        array: usize,
        file: String,
        span: Span,
    },
    /// `to` becomes what is in `from`: `setMem` and `getMem`.
    Copy {
        from: usize,
        to: usize,
        span: Span,
    },
    WriteFile {
        array: usize,
        file: String,
        span: Span,
    },
    /// An array of the host from its elements.
    Tabulate {
        array: usize,
        size: Node,
        /// Where the number of an element is when it is computed.
        binder: usize,
        value: Node,
        span: Span,
    },
    Print(Vec<Piece>),
    /// A heading, if there is one, and the elements of an array.
    PrintArray {
        array: usize,
        heading: Option<String>,
        span: Span,
    },
    Assert(Node, Span),
    /// A barrier begins anew with so many tokens.
    Barrier {
        slot: usize,
        init: Node,
        span: Span,
    },
}

pub(super) struct ArrayUse {
    pub(super) array: usize,
    /// The patterns between its declaration and here whose iterations are to be independent.
    pub(super) guards: Vec<usize>,
}

pub(super) struct Write {
    pub(super) place: ArrayUse,
    pub(super) index: Node,
    pub(super) value: Node,
    pub(super) span: Span,
}

pub(super) struct Modify {
    pub(super) place: ArrayUse,
    pub(super) index: Node,
    pub(super) value: Node,
    pub(super) with: Modification,
    pub(super) span: Span,
}

/// What is done with the element that is there.
pub(super) enum Modification {
    /// It becomes what comes of it and the value.
    Combine(Binary),
    Replace,
    Keep,
}

/// The barriers of the accesses in the iterations of a pattern.
#[derive(Default)]
pub(super) struct Barriers {
    /// Those that the pattern waits for: a token of each is taken when it is launched.
    pub(super) pops: Vec<BarrierToken>,
    /// Those that wait for it: each gets a token when it is done.
    pub(super) pushes: Vec<BarrierToken>,
}

pub(super) struct BarrierToken {
    pub(super) name: String,
    pub(super) slot: usize,
    pub(super) span: Span,
}

pub(super) struct Transfer {
    pub(super) number: usize,
    pub(super) par: u64,
    pub(super) dram: ArrayUse,
    pub(super) chip: Chip,
    pub(super) direction: Direction,
    /// The first element in DRAM.
    pub(super) from: Node,
    pub(super) extent: Extent,
    pub(super) span: Span,
}

pub(super) enum Chip {
    Array(ArrayUse),
    Fifo(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Load,
    Store,
}

pub(super) enum Extent {
    /// Up to this element, without it.
    Until(Node),
    /// So many elements, of a stream.
    Count(Node),
}

pub(super) struct GenBits {
    pub(super) number: usize,
    pub(super) shift: Node,
    pub(super) max: Node,
    pub(super) len: Node,
    pub(super) crd: usize,
    pub(super) bits: usize,
    pub(super) span: Span,
}

pub(super) struct PatternSteps {
    pub(super) number: usize,
    pub(super) domain: Domain,
    /// The names of what the domain binds, and their slots.
    pub(super) binders: Vec<(String, usize)>,
    pub(super) body: BlockSteps,
    /// Its number among those whose iterations are to be independent, if it is one of them.
    pub(super) guard: Option<usize>,
    pub(super) barriers: Barriers,
}

pub(super) enum Domain {
    Counters(Vec<Counter>),
    Scan(Scan<1>),
    ScanOr(Scan<2>),
    ScanAnd(Scan<2>),
}

/// A counter; its bounds are put into slots when its pattern is launched.
pub(super) struct Counter {
    pub(super) binder: usize,
    pub(super) from: Node,
    pub(super) to: Node,
    pub(super) step: Node,
    /// Where the bounds are: the first value, that which it stays below, the step.
    pub(super) bounds: [usize; 3],
    pub(super) par: u64,
    pub(super) span: Span,
}

pub(super) struct Scan<const VECTORS: usize> {
    pub(super) len: Node,
    pub(super) bits: [usize; VECTORS],
    pub(super) coordinate: usize,
    /// The number of the bit in each vector.
    pub(super) numbers: [usize; VECTORS],
    /// The number of the bit in the result, of two vectors.
    pub(super) number: Option<usize>,
    pub(super) par: u64,
    pub(super) span: Span,
}

pub(super) struct Reduce {
    pub(super) pattern: PatternSteps,
    pub(super) register: usize,
    /// What each iteration yields, behind its statements.
    pub(super) value: Node,
    pub(super) with: Binary,
}

pub(super) struct MemReduce {
    /// Whether what the target holds counts.
    pub(super) is_fold: bool,
    pub(super) pattern: PatternSteps,
    pub(super) target: ArrayUse,
    pub(super) value: ArrayUse,
    pub(super) with: Binary,
    pub(super) par: u64,
    pub(super) span: Span,
}

pub(super) enum Piece {
    Text(String),
    Value(Node, Scalar),
}

pub(super) enum Node {
    Constant(u64),
    Slot(usize),
    Unary(Unary, Box<Node>),
    Binary(Binary, Box<[Node; 2]>),
    /// Of integers: what it divides by is not to be 0.
    Divide(Box<Divide>),
    Mux(Box<[Node; 3]>),
    /// An element of a memory on chip or of the host's.
    Read(Box<Read>),
    /// An element of a DRAM, through a `SparseDRAM`.
    ReadDram(Box<Read>),
    /// What is there behind a modification.
    Modify(Box<Modify>),
    Dequeue(usize, Span),
    Length(usize),
}

pub(super) struct Divide {
    pub(super) operation: Binary,
    pub(super) operands: [Node; 2],
    pub(super) span: Span,
}

pub(super) struct Read {
    pub(super) place: ArrayUse,
    pub(super) index: Node,
    pub(super) span: Span,
}
