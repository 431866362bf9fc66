//! The messages of a file, field by field as `tortilla.ComalGraph` of stanford-ppl/tortilla (September 2025)
//! numbers them. Streams of all kinds have the same fields there, so that one type does for them here.

use prost::{Enumeration, Message, Oneof};

/// A whole file.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ComalGraph {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    /// How many tokens a channel holds.
    #[prost(uint64, tag = "2")]
    pub(super) channel_size: u64,
    #[prost(message, optional, tag = "3")]
    pub(super) graph: Option<ProgramGraph>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ProgramGraph {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(message, repeated, tag = "2")]
    pub(super) operators: Vec<Operation>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Operation {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(uint64, tag = "2")]
    pub(super) id: u64,
    #[prost(
        oneof = "Op",
        tags = "11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31"
    )]
    pub(super) op: Option<Op>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Op {
    #[prost(message, tag = "11")]
    Root(Generator),
    #[prost(message, tag = "12")]
    Joiner(Joiner),
    #[prost(message, tag = "13")]
    FiberLookup(FiberLookup),
    #[prost(message, tag = "14")]
    FiberWrite(FiberWrite),
    #[prost(message, tag = "15")]
    Repeat(Repeat),
    #[prost(message, tag = "16")]
    RepeatSig(RepeatSig),
    #[prost(message, tag = "17")]
    Alu(Alu),
    #[prost(message, tag = "18")]
    Reduce(Reduce),
    #[prost(message, tag = "19")]
    CoordHold(CoordPair),
    #[prost(message, tag = "20")]
    CoordMask(Opaque),
    #[prost(message, tag = "21")]
    CoordDrop(CoordPair),
    #[prost(message, tag = "22")]
    Array(ArrayVals),
    #[prost(message, tag = "23")]
    SparseAccumulator(SparseAccumulator),
    #[prost(message, tag = "24")]
    ValWrite(ValWrite),
    #[prost(message, tag = "25")]
    Intrinsic(Intrinsic),
    #[prost(message, tag = "26")]
    Broadcast(Branching),
    #[prost(message, tag = "27")]
    Fork(Branching),
    #[prost(message, tag = "28")]
    Join(Branching),
    #[prost(message, tag = "29")]
    GenRef(Opaque),
    #[prost(message, tag = "30")]
    Locate(Locate),
    #[prost(message, tag = "31")]
    Concat(Opaque),
}

/// An operation of which nothing is read.
#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Opaque {}

/// `CrdStream`, `RefStream`, `ValStream` or `RepSigStream`. The identifier 0 is that of no stream.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Stream {
    #[prost(message, optional, tag = "1")]
    pub(super) id: Option<StreamId>,
    #[prost(string, tag = "2")]
    pub(super) name: String,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct StreamId {
    #[prost(uint64, tag = "1")]
    pub(super) id: u64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Generator {
    #[prost(string, tag = "1")]
    pub(super) label: String,
    #[prost(string, tag = "2")]
    pub(super) tensor: String,
    #[prost(message, optional, tag = "3")]
    pub(super) output_ref: Option<Stream>,
}

/// `Broadcast`, `Fork` or `Join`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Branching {
    #[prost(string, tag = "1")]
    pub(super) label: String,
    #[prost(oneof = "Branches", tags = "2, 3, 4, 5")]
    pub(super) conn: Option<Branches>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Branches {
    #[prost(message, tag = "2")]
    Crd(Bundle),
    #[prost(message, tag = "3")]
    Ref(Bundle),
    #[prost(message, tag = "4")]
    Val(Bundle),
    #[prost(message, tag = "5")]
    RepSig(Bundle),
}

/// One stream on the one side, and several on the other.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Bundle {
    #[prost(message, optional, tag = "1")]
    pub(super) trunk: Option<Stream>,
    #[prost(message, repeated, tag = "2")]
    pub(super) branches: Vec<Stream>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Joiner {
    #[prost(enumeration = "JoinType", tag = "1")]
    pub(super) join_type: i32,
    #[prost(message, repeated, tag = "2")]
    pub(super) input_pairs: Vec<JoinBundle>,
    #[prost(string, tag = "3")]
    pub(super) index: String,
    #[prost(string, tag = "4")]
    pub(super) label: String,
    #[prost(message, repeated, tag = "5")]
    pub(super) output_refs: Vec<Payload>,
    #[prost(message, optional, tag = "6")]
    pub(super) output_crd: Option<Stream>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
#[repr(i32)]
pub(super) enum JoinType {
    Intersect = 0,
    Union = 1,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct JoinBundle {
    #[prost(message, optional, tag = "1")]
    pub(super) crd: Option<Stream>,
    #[prost(message, optional, tag = "2")]
    pub(super) in_ref: Option<Payload>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Payload {
    #[prost(oneof = "Carried", tags = "1, 2")]
    pub(super) stream: Option<Carried>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Carried {
    #[prost(message, tag = "1")]
    Ref(Stream),
    #[prost(message, tag = "2")]
    Val(Stream),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct FiberLookup {
    #[prost(message, optional, tag = "2")]
    pub(super) input_ref: Option<Stream>,
    #[prost(message, optional, tag = "3")]
    pub(super) output_ref: Option<Stream>,
    #[prost(message, optional, tag = "4")]
    pub(super) output_crd: Option<Stream>,
    #[prost(string, tag = "5")]
    pub(super) index: String,
    #[prost(string, tag = "6")]
    pub(super) tensor: String,
    #[prost(uint64, tag = "7")]
    pub(super) mode: u64,
    #[prost(string, tag = "8")]
    pub(super) format: String,
    #[prost(bool, tag = "9")]
    pub(super) src: bool,
    #[prost(bool, tag = "10")]
    pub(super) root: bool,
    #[prost(string, tag = "11")]
    pub(super) label: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct FiberWrite {
    #[prost(bool, tag = "1")]
    pub(super) takes_references: bool,
    #[prost(message, optional, tag = "2")]
    pub(super) input_crd: Option<Stream>,
    #[prost(string, tag = "3")]
    pub(super) index: String,
    #[prost(string, tag = "4")]
    pub(super) tensor: String,
    #[prost(string, tag = "5")]
    pub(super) mode: String,
    #[prost(string, tag = "6")]
    pub(super) format: String,
    #[prost(string, tag = "7")]
    pub(super) segsize: String,
    #[prost(string, tag = "8")]
    pub(super) crdsize: String,
    #[prost(string, tag = "9")]
    pub(super) size: String,
    #[prost(bool, tag = "10")]
    pub(super) sink: bool,
    #[prost(string, tag = "11")]
    pub(super) label: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ValWrite {
    #[prost(message, optional, tag = "1")]
    pub(super) input_val: Option<Stream>,
    #[prost(string, tag = "2")]
    pub(super) label: String,
    #[prost(string, tag = "3")]
    pub(super) crdsize: String,
    #[prost(string, tag = "4")]
    pub(super) segsize: String,
    #[prost(string, tag = "5")]
    pub(super) tensor: String,
    #[prost(bool, tag = "6")]
    pub(super) sink: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Repeat {
    #[prost(oneof = "RepeatInput", tags = "1, 2")]
    pub(super) input: Option<RepeatInput>,
    #[prost(oneof = "RepeatOutput", tags = "3, 4")]
    pub(super) output: Option<RepeatOutput>,
    #[prost(oneof = "RepeatOver", tags = "5, 6")]
    pub(super) over: Option<RepeatOver>,
    #[prost(string, tag = "7")]
    pub(super) label: String,
    #[prost(string, tag = "8")]
    pub(super) index: String,
    #[prost(bool, tag = "9")]
    pub(super) root: bool,
    #[prost(string, tag = "10")]
    pub(super) tensor: String,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum RepeatInput {
    #[prost(message, tag = "1")]
    Ref(Stream),
    #[prost(message, tag = "2")]
    Val(Stream),
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum RepeatOutput {
    #[prost(message, tag = "3")]
    Ref(Stream),
    #[prost(message, tag = "4")]
    Val(Stream),
}

/// What is repeated over: a stream with a token for each repetition.
#[derive(Clone, PartialEq, Oneof)]
pub(super) enum RepeatOver {
    #[prost(message, tag = "5")]
    Ref(Stream),
    #[prost(message, tag = "6")]
    Val(Stream),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct RepeatSig {
    #[prost(message, optional, tag = "1")]
    pub(super) input_crd: Option<Stream>,
    #[prost(message, optional, tag = "2")]
    pub(super) output: Option<Stream>,
    #[prost(string, tag = "3")]
    pub(super) label: String,
    #[prost(string, tag = "4")]
    pub(super) index: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Alu {
    #[prost(oneof = "AluStreams", tags = "1, 2")]
    pub(super) conn: Option<AluStreams>,
    #[prost(message, repeated, tag = "3")]
    pub(super) stages: Vec<Stage>,
    /// The register whose value comes out.
    #[prost(uint64, tag = "4")]
    pub(super) output_val: u64,
    #[prost(string, tag = "5")]
    pub(super) label: String,
    #[prost(uint64, tag = "6")]
    pub(super) stream_shape: u64,
    #[prost(bool, tag = "7")]
    pub(super) blocked: bool,
    #[prost(double, tag = "8")]
    pub(super) scalar: f64,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum AluStreams {
    #[prost(message, tag = "1")]
    Vals(AluPorts),
    #[prost(message, tag = "2")]
    Crds(AluPorts),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct AluPorts {
    #[prost(message, repeated, tag = "1")]
    pub(super) inputs: Vec<Stream>,
    #[prost(message, optional, tag = "2")]
    pub(super) output: Option<Stream>,
}

/// A stage reads registers, of which the first ones hold the inputs, and writes one.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Stage {
    #[prost(uint64, repeated, tag = "1")]
    pub(super) inputs: Vec<u64>,
    #[prost(uint64, tag = "2")]
    pub(super) output: u64,
    #[prost(enumeration = "AluOp", tag = "3")]
    pub(super) op: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
#[repr(i32)]
pub(super) enum AluOp {
    Add = 0,
    Sub = 1,
    Mul = 2,
    Div = 3,
    Exp = 4,
    Sin = 5,
    Cos = 6,
    Max = 7,
    ScalarAdd = 8,
    ScalarMul = 9,
    ScalarDiv = 10,
    Rsqrt = 11,
    Sigmoid = 12,
    ElemMul = 13,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Reduce {
    #[prost(message, optional, tag = "1")]
    pub(super) input_val: Option<Stream>,
    #[prost(message, optional, tag = "2")]
    pub(super) output_val: Option<Stream>,
    #[prost(string, tag = "3")]
    pub(super) label: String,
    #[prost(uint64, tag = "4")]
    pub(super) stream_shape: u64,
    #[prost(bool, tag = "5")]
    pub(super) blocked: bool,
    #[prost(enumeration = "ReduceType", tag = "6")]
    pub(super) reduce_type: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
#[repr(i32)]
pub(super) enum ReduceType {
    Add = 0,
    Max = 1,
    /// Of values that are blocks, all elements are added up as well.
    AddSum = 2,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SparseAccumulator {
    #[prost(message, optional, tag = "1")]
    pub(super) input_inner_crd: Option<Stream>,
    #[prost(message, optional, tag = "2")]
    pub(super) output_inner_crd: Option<Stream>,
    #[prost(message, repeated, tag = "3")]
    pub(super) input_outer_crds: Vec<Stream>,
    #[prost(message, optional, tag = "4")]
    pub(super) input_val: Option<Stream>,
    #[prost(message, optional, tag = "5")]
    pub(super) output_val: Option<Stream>,
    #[prost(uint64, tag = "6")]
    pub(super) order: u64,
    #[prost(string, tag = "7")]
    pub(super) inner_crd: String,
    #[prost(string, repeated, tag = "8")]
    pub(super) outer_crds: Vec<String>,
    #[prost(string, tag = "9")]
    pub(super) label: String,
    #[prost(message, repeated, tag = "10")]
    pub(super) output_outer_crds: Vec<Stream>,
    #[prost(uint64, tag = "11")]
    pub(super) stream_shape: u64,
    #[prost(bool, tag = "12")]
    pub(super) blocked: bool,
}

/// `CoordHold` or `CoordDrop`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct CoordPair {
    #[prost(message, optional, tag = "1")]
    pub(super) input_inner_crd: Option<Stream>,
    #[prost(message, optional, tag = "2")]
    pub(super) input_outer_crd: Option<Stream>,
    #[prost(message, optional, tag = "3")]
    pub(super) output_inner_crd: Option<Stream>,
    #[prost(message, optional, tag = "4")]
    pub(super) output_outer_crd: Option<Stream>,
    #[prost(string, tag = "5")]
    pub(super) inner_crd: String,
    #[prost(string, tag = "6")]
    pub(super) outer_crd: String,
    #[prost(string, tag = "7")]
    pub(super) label: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Locate {
    #[prost(message, optional, tag = "1")]
    pub(super) input_crd: Option<Stream>,
    #[prost(message, optional, tag = "2")]
    pub(super) input_ref: Option<Stream>,
    /// The reference that belongs to the coordinate.
    #[prost(message, optional, tag = "3")]
    pub(super) output_ref1: Option<Stream>,
    /// The reference that came along.
    #[prost(message, optional, tag = "4")]
    pub(super) output_ref2: Option<Stream>,
    #[prost(message, optional, tag = "5")]
    pub(super) output_crd: Option<Stream>,
    #[prost(string, tag = "6")]
    pub(super) label: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ArrayVals {
    #[prost(string, tag = "1")]
    pub(super) tensor: String,
    #[prost(message, optional, tag = "2")]
    pub(super) input_ref: Option<Stream>,
    #[prost(message, optional, tag = "3")]
    pub(super) output_val: Option<Stream>,
    #[prost(string, tag = "4")]
    pub(super) label: String,
    #[prost(uint64, tag = "5")]
    pub(super) stream_shape: u64,
    #[prost(bool, tag = "6")]
    pub(super) blocked: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Intrinsic {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(message, optional, tag = "2")]
    pub(super) input_val: Option<Stream>,
    #[prost(message, repeated, tag = "3")]
    pub(super) inputs: Vec<Stream>,
    #[prost(message, optional, tag = "4")]
    pub(super) output_val: Option<Stream>,
    #[prost(message, repeated, tag = "5")]
    pub(super) outputs: Vec<Stream>,
}

impl Stream {
    /// The stream of an identifier.
    pub(super) fn new(id: u64) -> Self {
        Self { id: Some(StreamId { id }), name: String::new() }
    }

    /// Its identifier, unless it is that of no stream.
    pub(super) fn id(&self) -> Option<u64> {
        self.id.map(|stream| stream.id).filter(|id| *id != 0)
    }
}
