//! The messages of a file, field by field as `tortilla.ComalGraph` of stanford-ppl/tortilla (September 2025)
//! numbers them. Streams of all kinds have the same fields there, so that one type does for them here.

use prost::{Enumeration, Message, Oneof};

/// Declares messages: each field has its tag and how prost encodes it.
macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident {
        $($tag:tt $field:ident: $ty:ty = ($($encoding:tt)+),)+
    })+) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Message)]
        pub(super) struct $name {
            $(
                #[prost($($encoding)+, tag = $tag)]
                pub(super) $field: $ty,
            )+
        }
    )+};
}

/// Declares fields of which a message has one: each message has its tag.
macro_rules! oneofs {
    ($($(#[$doc:meta])* $name:ident { $($tag:tt $variant:ident($ty:ty),)+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Oneof)]
        pub(super) enum $name {
            $(
                #[prost(message, tag = $tag)]
                $variant($ty),
            )+
        }
    )+};
}

messages! {
    /// A whole file.
    ComalGraph {
        "1" name: String = (string),
        // How many tokens a channel holds.
        "2" channel_size: u64 = (uint64),
        "3" graph: Option<ProgramGraph> = (message, optional),
    }
    ProgramGraph {
        "1" name: String = (string),
        "2" operators: Vec<Operation> = (message, repeated),
    }
    /// `CrdStream`, `RefStream`, `ValStream` or `RepSigStream`. The identifier 0 is that of no stream.
    Stream {
        "1" id: Option<StreamId> = (message, optional),
        "2" name: String = (string),
    }
    Generator {
        "1" label: String = (string),
        "2" tensor: String = (string),
        "3" output_ref: Option<Stream> = (message, optional),
    }
    /// One stream on the one side, and several on the other.
    Bundle {
        "1" trunk: Option<Stream> = (message, optional),
        "2" branches: Vec<Stream> = (message, repeated),
    }
    Joiner {
        "1" join_type: i32 = (enumeration = "JoinType"),
        "2" input_pairs: Vec<JoinBundle> = (message, repeated),
        "3" index: String = (string),
        "4" label: String = (string),
        "5" output_refs: Vec<Payload> = (message, repeated),
        "6" output_crd: Option<Stream> = (message, optional),
    }
    JoinBundle {
        "1" crd: Option<Stream> = (message, optional),
        "2" in_ref: Option<Payload> = (message, optional),
    }
    FiberLookup {
        "2" input_ref: Option<Stream> = (message, optional),
        "3" output_ref: Option<Stream> = (message, optional),
        "4" output_crd: Option<Stream> = (message, optional),
        "5" index: String = (string),
        "6" tensor: String = (string),
        "7" mode: u64 = (uint64),
        "8" format: String = (string),
        "9" src: bool = (bool),
        "10" root: bool = (bool),
        "11" label: String = (string),
    }
    FiberWrite {
        "1" takes_references: bool = (bool),
        "2" input_crd: Option<Stream> = (message, optional),
        "3" index: String = (string),
        "4" tensor: String = (string),
        "5" mode: String = (string),
        "6" format: String = (string),
        "7" segsize: String = (string),
        "8" crdsize: String = (string),
        "9" size: String = (string),
        "10" sink: bool = (bool),
        "11" label: String = (string),
    }
    ValWrite {
        "1" input_val: Option<Stream> = (message, optional),
        "2" label: String = (string),
        "3" crdsize: String = (string),
        "4" segsize: String = (string),
        "5" tensor: String = (string),
        "6" sink: bool = (bool),
    }
    RepeatSig {
        "1" input_crd: Option<Stream> = (message, optional),
        "2" output: Option<Stream> = (message, optional),
        "3" label: String = (string),
        "4" index: String = (string),
    }
    AluPorts {
        "1" inputs: Vec<Stream> = (message, repeated),
        "2" output: Option<Stream> = (message, optional),
    }
    /// A stage reads registers, of which the first ones hold the inputs, and writes one.
    Stage {
        "1" inputs: Vec<u64> = (uint64, repeated),
        "2" output: u64 = (uint64),
        "3" op: i32 = (enumeration = "AluOp"),
    }
    Reduce {
        "1" input_val: Option<Stream> = (message, optional),
        "2" output_val: Option<Stream> = (message, optional),
        "3" label: String = (string),
        "4" stream_shape: u64 = (uint64),
        "5" blocked: bool = (bool),
        "6" reduce_type: i32 = (enumeration = "ReduceType"),
    }
    SparseAccumulator {
        "1" input_inner_crd: Option<Stream> = (message, optional),
        "2" output_inner_crd: Option<Stream> = (message, optional),
        "3" input_outer_crds: Vec<Stream> = (message, repeated),
        "4" input_val: Option<Stream> = (message, optional),
        "5" output_val: Option<Stream> = (message, optional),
        "6" order: u64 = (uint64),
        "7" inner_crd: String = (string),
        "8" outer_crds: Vec<String> = (string, repeated),
        "9" label: String = (string),
        "10" output_outer_crds: Vec<Stream> = (message, repeated),
        "11" stream_shape: u64 = (uint64),
        "12" blocked: bool = (bool),
    }
    /// `CoordHold` or `CoordDrop`.
    CoordPair {
        "1" input_inner_crd: Option<Stream> = (message, optional),
        "2" input_outer_crd: Option<Stream> = (message, optional),
        "3" output_inner_crd: Option<Stream> = (message, optional),
        "4" output_outer_crd: Option<Stream> = (message, optional),
        "5" inner_crd: String = (string),
        "6" outer_crd: String = (string),
        "7" label: String = (string),
    }
    Locate {
        "1" input_crd: Option<Stream> = (message, optional),
        "2" input_ref: Option<Stream> = (message, optional),
        // The reference that belongs to the coordinate.
        "3" output_ref1: Option<Stream> = (message, optional),
        // The reference that came along.
        "4" output_ref2: Option<Stream> = (message, optional),
        "5" output_crd: Option<Stream> = (message, optional),
        "6" label: String = (string),
    }
    ArrayVals {
        "1" tensor: String = (string),
        "2" input_ref: Option<Stream> = (message, optional),
        "3" output_val: Option<Stream> = (message, optional),
        "4" label: String = (string),
        "5" stream_shape: u64 = (uint64),
        "6" blocked: bool = (bool),
    }
    Intrinsic {
        "1" name: String = (string),
        "2" input_val: Option<Stream> = (message, optional),
        "3" inputs: Vec<Stream> = (message, repeated),
        "4" output_val: Option<Stream> = (message, optional),
        "5" outputs: Vec<Stream> = (message, repeated),
    }
}

oneofs! {
    Op {
        "11" Root(Generator),
        "12" Joiner(Joiner),
        "13" FiberLookup(FiberLookup),
        "14" FiberWrite(FiberWrite),
        "15" Repeat(Repeat),
        "16" RepeatSig(RepeatSig),
        "17" Alu(Alu),
        "18" Reduce(Reduce),
        "19" CoordHold(CoordPair),
        "20" CoordMask(Opaque),
        "21" CoordDrop(CoordPair),
        "22" Array(ArrayVals),
        "23" SparseAccumulator(SparseAccumulator),
        "24" ValWrite(ValWrite),
        "25" Intrinsic(Intrinsic),
        "26" Broadcast(Branching),
        "27" Fork(Branching),
        "28" Join(Branching),
        "29" GenRef(Opaque),
        "30" Locate(Locate),
        "31" Concat(Opaque),
    }
    Branches {
        "2" Crd(Bundle),
        "3" Ref(Bundle),
        "4" Val(Bundle),
        "5" RepSig(Bundle),
    }
    Carried {
        "1" Ref(Stream),
        "2" Val(Stream),
    }
    RepeatInput {
        "1" Ref(Stream),
        "2" Val(Stream),
    }
    RepeatOutput {
        "3" Ref(Stream),
        "4" Val(Stream),
    }
    /// What is repeated over: a stream with a token for each repetition.
    RepeatOver {
        "5" Ref(Stream),
        "6" Val(Stream),
    }
    AluStreams {
        "1" Vals(AluPorts),
        "2" Crds(AluPorts),
    }
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

/// An operation of which nothing is read.
#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Opaque {}

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct StreamId {
    #[prost(uint64, tag = "1")]
    pub(super) id: u64,
}

/// `Broadcast`, `Fork` or `Join`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Branching {
    #[prost(string, tag = "1")]
    pub(super) label: String,
    #[prost(oneof = "Branches", tags = "2, 3, 4, 5")]
    pub(super) conn: Option<Branches>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
#[repr(i32)]
pub(super) enum JoinType {
    Intersect = 0,
    Union = 1,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Payload {
    #[prost(oneof = "Carried", tags = "1, 2")]
    pub(super) stream: Option<Carried>,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
#[repr(i32)]
pub(super) enum ReduceType {
    Add = 0,
    Max = 1,
    /// Of values that are blocks, all elements are added up as well.
    AddSum = 2,
}

impl Stream {
    pub(super) fn new(id: u64) -> Self {
        Self { id: Some(StreamId { id }), name: String::new() }
    }

    pub(super) fn id(&self) -> Option<u64> {
        self.id.map(|stream| stream.id).filter(|id| *id != 0)
    }
}
