//! Spatial applications: what the lowering writes, what is read from a text, what the interpreter runs.
//!
//! An application has a host part, which fills memories and arguments, an `Accel` block, and a host part that
//! reads results back. Names are those of the text. Spans point into the text that an application was read
//! from, and are empty in one that was not read; applications that say the same are equal wherever they say
//! it.

mod memory;
mod operator;
mod scalar;
mod tensor;
pub(crate) mod visit;

pub use memory::{Copies, Mark, Memory, MemoryKind, SparseVariant};
pub use operator::{BarrierAction, Function, Modification, ModifyOrder, Operator, ScanMode};
pub use scalar::Scalar;
pub use tensor::{LEVEL_KINDS, Role, Tensor, mode_of, whole};
pub use visit::has_controllers;

use comet_diag::Span;

/// The bytes that DRAM moves at once, 512 bits: a line of DDR4 and HBM2.
pub(crate) const BURST_BYTES: u64 = 64;

/// An application: the `main` of a class.
#[derive(Clone, Debug, PartialEq)]
pub struct App {
    pub name: String,
    /// The lines of comment in front of the class that say nothing of tensors, without `//`: what it is for.
    pub comment: Vec<String>,
    /// What the header comments say of the tensors: none in a text of other origin.
    pub tensors: Vec<Tensor>,
    /// The parameters of the class with their defaults, such as `bp: scala.Int = 2`.
    pub parameters: Vec<AppParameter>,
    /// The type aliases, such as `type T = Int`.
    pub types: Vec<(String, Type)>,
    /// What `args` holds where nothing else is given: `override def runtimeArgs: Args = "32 16"`.
    pub arguments: Vec<String>,
    pub before: Vec<Host>,
    pub accel: Block,
    pub after: Vec<Host>,
}

impl App {
    /// The bits of a value of a type.
    pub fn bits(&self, of: &Type) -> u32 {
        of.resolved(&self.types).bits()
    }
}

/// A parameter of the class, which may be given anew where it is extended.
#[derive(Clone, Debug)]
pub struct AppParameter {
    pub name: String,
    pub value: i64,
    pub span: Span,
}

/// A type as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Scalar(Scalar),
    /// An alias.
    Named(String),
}

impl Type {
    pub fn name(&self) -> &str {
        match self {
            Self::Scalar(scalar) => scalar.word(),
            Self::Named(name) => name,
        }
    }

    /// Returns the type with aliases followed, each of which stands for what is declared in front of it.
    pub(crate) fn resolved(&self, aliases: &[(String, Self)]) -> Scalar {
        match self {
            Self::Scalar(scalar) => *scalar,
            Self::Named(name) => {
                let place =
                    aliases.iter().position(|(alias, _)| alias == name).expect("aliases are declared");
                aliases[place].1.resolved(&aliases[..place])
            }
        }
    }
}

impl From<Scalar> for Type {
    fn from(scalar: Scalar) -> Self {
        Self::Scalar(scalar)
    }
}

#[derive(Clone, Debug)]
pub struct Host {
    pub kind: HostKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum HostKind {
    /// `val n = ArgIn[T]`.
    ArgIn(String, Type),
    /// `val n = ArgOut[T]`.
    ArgOut(String, Type),
    /// `val d = DRAM[T](n)`.
    Dram { name: String, element: Type, size: AppExpr },
    /// `val h = loadCSV1D[T]("B2_pos.csv")`.
    LoadCsv { name: String, element: Type, file: String },
    /// `val h = getMem(d)`.
    GetMem { name: String, dram: String },
    /// `val h = …`: a number, a part of an array (`h(0)`), its length (`h.length`), an argument (`args(0)`,
    /// `getArg(n)`), arithmetic on these.
    Val(String, AppExpr),
    /// `setArg(n, …)`.
    SetArg(String, AppExpr),
    /// `setMem(d, h)`.
    SetMem { dram: String, array: String },
    /// `writeCSV1D(h, "y_vals.csv")`.
    WriteCsv { array: String, file: String },
    /// `println(…)`.
    Print(AppExpr),
    /// `printArray(h, "…")`: an array of the host, and what is put in front of it.
    PrintArray { array: String, title: Option<String> },
    /// `assert(…)`.
    Assert(AppExpr),
}

pub type Block = Vec<AppStatement>;

#[derive(Clone, Debug)]
pub struct AppStatement {
    pub kind: Kind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `val n = …`.
    Val(String, AppExpr),
    /// `val m = SRAM[T](n)`.
    Memory(Memory),
    /// `m.alias = d`: the elements of a `SparseDRAM` are those of a DRAM of the host.
    Alias {
        memory: String,
        dram: String,
    },
    /// `val b = Barrier[Token](0)`.
    Barrier {
        name: String,
        /// How many tokens it has at first.
        init: AppExpr,
    },
    /// `m(i) = x`.
    Write {
        memory: String,
        index: AppExpr,
        value: AppExpr,
    },
    /// `r := x`, of registers and `ArgOut`s.
    Set {
        register: String,
        value: AppExpr,
    },
    /// `f.enq(x)`, `f.enq(x, condition)`.
    Enqueue {
        fifo: String,
        value: AppExpr,
        enable: Option<AppExpr>,
    },
    /// `m.barrierWrite(i, x, Seq(b.push))`: a write that waits for barriers, and that others wait for.
    BarrierWrite {
        memory: String,
        index: AppExpr,
        value: AppExpr,
        barriers: Vec<BarrierUse>,
    },
    /// `m.RMW(i, x, "add", "ordered", Seq())`, whose result nobody uses.
    Modify(Modify),
    /// `m load d(a::b par p)`.
    Load {
        memory: String,
        part: DramPart,
    },
    /// `d(a::b par p) store m`.
    Store {
        memory: String,
        part: DramPart,
    },
    /// `d stream_load_vec(base, len, f)`.
    StreamLoad(Stream),
    /// `d stream_store_vec(base, f, len)`.
    StreamStore(Stream),
    /// `gen_bitvector(shift, max, len, crd, bv)`.
    GenBitVector {
        /// What is taken from each coordinate.
        shift: AppExpr,
        /// How many bits the vector has.
        max: AppExpr,
        /// How many coordinates there are.
        len: AppExpr,
        crd: String,
        bits: String,
    },
    Pattern(Pattern),
    /// `if (…) { … } else { … }`.
    If {
        condition: AppExpr,
        then: Block,
        otherwise: Block,
    },
}

/// Iterations, and what comes of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    pub schedule: Schedule,
    pub domain: Domain,
    pub body: Block,
    pub result: PatternResult,
}

/// What comes of the iterations of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternResult {
    /// `Foreach(…) { … }`.
    None,
    /// `Reduce(r)(…) { … } { _ + _ }`.
    Register { register: String, value: AppExpr, with: Operator },
    /// `MemReduce(m par p)(…) { … } { _ + _ }`, `MemFold(m par p)(…) { … } { _ + _ }`.
    Memory {
        /// Whether what the SRAM holds counts: `MemFold`.
        is_fold: bool,
        memory: String,
        /// How many elements at once.
        par: AppExpr,
        /// The SRAM that each iteration leaves, as large.
        value: String,
        with: Operator,
    },
}

/// `m.RMW(i, x, "add", "ordered", Seq())`: what is there is read, combined, and written back, at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Modify {
    pub memory: String,
    pub index: AppExpr,
    pub value: AppExpr,
    pub with: Modification,
    pub order: ModifyOrder,
    pub barriers: Vec<BarrierUse>,
}

/// `b.push` and `b.pop`, as an access of a sparse SRAM lists them.
#[derive(Clone, Debug)]
pub struct BarrierUse {
    pub barrier: String,
    pub action: BarrierAction,
    pub span: Span,
}

/// How the iterations of a pattern that has controllers inside overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// `Foreach`, `Pipe.Foreach`: its controllers are the stages of a pipeline. While one iteration is in a
    /// stage, the next one is in the stage in front of it.
    #[default]
    Pipelined,
    /// `Sequential.Foreach`: an iteration begins when the one before it is done.
    Sequential,
    /// `Stream.Foreach`: controllers run whenever the FIFOs that they use let them.
    Streaming,
}

/// `d(from::to par p)`: elements `from` and up to, without, `to`.
#[derive(Clone, Debug, PartialEq)]
pub struct DramPart {
    pub dram: String,
    pub from: AppExpr,
    pub to: AppExpr,
    pub par: Option<AppExpr>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    pub dram: String,
    pub base: AppExpr,
    pub len: AppExpr,
    pub fifo: String,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// `Foreach(n by 1 par p) { i => … }`, and `Foreach(0 until n by 1, 0 until m by 1) { (i, j) => … }`: the
    /// last counter is the fastest.
    Counters(Vec<Counter>),
    /// `Foreach(Scan(p, n, "or", a.deq)) { case List(i, a) => … }`: the bits that are 1.
    Scan {
        par: AppExpr,
        len: AppExpr,
        bits: String,
        /// Its binders: the coordinate, then the number of the bit among those that are 1.
        binders: [String; 2],
    },
    /// `Foreach(Scan(p, n, "or", a, b)) { case List(i, a, out, b) => … }`, and `ScanRed` of `Reduce`.
    ScanTwo {
        par: AppExpr,
        len: AppExpr,
        mode: ScanMode,
        bits: [String; 2],
        /// Its binders: the coordinate; its number among those of the first, or -1; its number among those of
        /// the result; its number among those of the second, or -1.
        binders: [String; 4],
    },
}

/// `from until to by step par p`.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    pub binder: String,
    /// The first value; 0 where it is not written.
    pub from: Option<AppExpr>,
    pub to: AppExpr,
    pub step: AppExpr,
    pub par: Option<AppExpr>,
}

#[derive(Clone, Debug)]
pub struct AppExpr {
    pub kind: ExprKind,
    pub span: Span,
}

impl ExprKind {
    pub fn at(self, span: Span) -> AppExpr {
        AppExpr { kind: self, span }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `1`.
    Int(i64),
    /// `1.5`.
    Float(f64),
    /// `"…"`, of the host.
    Text(String),
    /// `true`.
    Bool(bool),
    /// A `val`, a binder, a parameter, an argument, a register (`r` and `r.value`).
    Name(String),
    /// `x.to[T]`.
    To(Box<AppExpr>, Type),
    /// `m(i)`: of an SRAM, a `SparseDRAM`, an array of the host.
    Read(String, Box<AppExpr>),
    /// `f.deq`.
    Dequeue(String),
    /// `h.length`, of arrays of the host.
    Length(String),
    /// `args(0)`, of the host.
    Argument(Box<AppExpr>),
    /// `getArg(n)`, of the host.
    GetArg(String),
    /// `-x`.
    Negate(Box<AppExpr>),
    /// `!x`.
    Not(Box<AppExpr>),
    /// `a + b`, `min(a, b)`.
    Binary(Operator, Box<AppExpr>, Box<AppExpr>),
    /// `mux(c, a, b)`: both are evaluated.
    Mux(Box<AppExpr>, Box<AppExpr>, Box<AppExpr>),
    /// `exp(x)`.
    Call(Function, Box<AppExpr>),
    /// `m.RMW(i, x, "add", "ordered", Seq())`: what is there afterwards.
    Modify(Box<Modify>),
    /// `m.barrierRead(i, Seq(b.pop))`: a read that waits for barriers, and that others wait for.
    BarrierRead { memory: String, index: Box<AppExpr>, barriers: Vec<BarrierUse> },
    /// `Array.tabulate[T](n) { i => … }`, of the host: an array. The binder is `_` if nothing depends on it.
    Tabulate { element: Option<Type>, size: Box<AppExpr>, binder: String, value: Box<AppExpr> },
}

/// Compares what is said, wherever in a text it is said.
macro_rules! equal_but_for_places {
    ($($Type:ident: $($field:ident),*;)*) => {
        $(impl PartialEq for $Type {
            fn eq(&self, other: &Self) -> bool {
                $(self.$field == other.$field)&&*
            }
        })*
    };
}

equal_but_for_places! {
    AppParameter: name, value;
    Host: kind;
    AppStatement: kind;
    AppExpr: kind;
    BarrierUse: barrier, action;
}
