//! Spatial applications: what the lowering writes, what is read from a text, what the interpreter runs.
//!
//! An application has a host part, which fills memories and arguments, an `Accel` block, and a host part that
//! reads results back. Names are those of the text. Spans point into the text that an application was read
//! from, and are empty in one that was not read; applications that say the same are equal wherever they say
//! it.

mod memory;
mod operator;
mod tensor;
pub(crate) mod visit;

pub use memory::{Copies, Mark, Memory, MemoryKind, SparseVariant};
pub use operator::{BarrierAction, Function, Modification, Operator, ScanMode};
pub use tensor::{Division, Level, LevelKind, Role, Tensor};
pub use visit::has_controllers;

use comet_diag::Span;

/// The bytes that DRAM moves at once, 512 bits: a line of DDR4 and HBM2.
pub(crate) const BURST_BYTES: u64 = 64;

/// An application: the `main` of a class.
#[derive(Clone, Debug, PartialEq)]
pub struct App {
    /// The name of the class.
    pub name: String,
    /// The lines of comment in front of the class that say nothing of tensors, without `//`: what it is for.
    pub comment: Vec<String>,
    /// What the header comments say of the tensors: none in a text of other origin.
    pub tensors: Vec<Tensor>,
    /// The parameters of the class with their defaults, such as `bp: scala.Int = 2`.
    pub parameters: Vec<Parameter>,
    /// The type aliases, such as `type T = Int`.
    pub types: Vec<(String, Type)>,
    /// What `args` holds where nothing else is given: `override def runtimeArgs: Args = "32 16"`.
    pub arguments: Vec<String>,
    /// What the host does before.
    pub before: Vec<Host>,
    /// What the accelerator does.
    pub accel: Block,
    /// What the host does behind it.
    pub after: Vec<Host>,
}

impl App {
    /// The bits of a value of a type; 32 of one that is not known.
    pub fn bits(&self, of: &Type) -> u32 {
        match of {
            Type::Long | Type::Double => 64,
            Type::Int | Type::U32 | Type::Float => 32,
            Type::Bit => 1,
            Type::Named(name) => {
                let alias = self.types.iter().find(|(alias, _)| alias == name);
                alias.map_or(32, |(_, of)| self.bits(of))
            }
        }
    }

    /// Whether values have 64 bits, of which a vector holds half as many as of those of 32.
    pub fn has_wide_values(&self) -> bool {
        self.tensors.iter().any(|tensor| matches!(tensor.element, Type::Long | Type::Double))
    }
}

/// A parameter of the class, which may be given anew where it is extended.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i64,
    /// Where it is.
    pub span: Span,
}

/// The types of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// 32 bits with a sign.
    Int,
    /// 64 bits with a sign.
    Long,
    /// 32 bits without a sign: words of bit vectors.
    U32,
    /// Single precision.
    Float,
    /// Double precision.
    Double,
    /// One bit.
    Bit,
    /// An alias.
    Named(String),
}

impl Type {
    /// As a text has it.
    pub fn name(&self) -> &str {
        match self {
            Self::Int => "Int",
            Self::Long => "Long",
            Self::U32 => "U32",
            Self::Float => "Float",
            Self::Double => "Double",
            Self::Bit => "Bit",
            Self::Named(name) => name,
        }
    }
}

/// A statement of the host.
#[derive(Clone, Debug)]
pub struct Host {
    /// What it is.
    pub kind: HostKind,
    /// Where it is.
    pub span: Span,
}

/// What the host does.
#[derive(Clone, Debug, PartialEq)]
pub enum HostKind {
    /// `val n = ArgIn[T]`.
    ArgIn(String, Type),
    /// `val n = ArgOut[T]`.
    ArgOut(String, Type),
    /// `val d = DRAM[T](n)`.
    Dram {
        /// Its name.
        name: String,
        /// Of its elements.
        element: Type,
        /// How many it has.
        size: Expr,
    },
    /// `val h = loadCSV1D[T]("B2_pos.csv")`.
    LoadCsv {
        /// The array.
        name: String,
        /// The type of its elements.
        element: Type,
        /// The file that it is read from.
        file: String,
    },
    /// `val h = getMem(d)`.
    GetMem {
        /// The array.
        name: String,
        /// The DRAM that it is a copy of.
        dram: String,
    },
    /// `val h = …`: a number, a part of an array (`h(0)`), its length (`h.length`), an argument (`args(0)`,
    /// `getArg(n)`), arithmetic on these.
    Val(String, Expr),
    /// `setArg(n, …)`.
    SetArg(String, Expr),
    /// `setMem(d, h)`.
    SetMem {
        /// The DRAM.
        dram: String,
        /// The array that it becomes a copy of.
        array: String,
    },
    /// `writeCSV1D(h, "y_vals.csv")`.
    WriteCsv {
        /// The array.
        array: String,
        /// The file that it is written to.
        file: String,
    },
    /// `println(…)`.
    Print(Expr),
    /// `printArray(h, "…")`: an array of the host, and what is put in front of it.
    PrintArray {
        /// The array.
        array: String,
        /// What is printed before it.
        title: Option<String>,
    },
    /// `assert(…)`.
    Assert(Expr),
}

/// Statements in order.
pub type Block = Vec<Statement>;

/// A statement of the accelerator.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: Kind,
    /// Where it is.
    pub span: Span,
}

/// What the accelerator does.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `val n = …`.
    Val(String, Expr),
    /// `val m = SRAM[T](n)`.
    Memory(Memory),
    /// `m.alias = d`: the elements of a `SparseDRAM` are those of a DRAM of the host.
    Alias {
        /// The `SparseDRAM`.
        memory: String,
        /// The DRAM.
        dram: String,
    },
    /// `val b = Barrier[Token](0)`.
    Barrier {
        /// Its name.
        name: String,
        /// How many tokens it has at first.
        init: Expr,
    },
    /// `m(i) = x`.
    Write {
        /// An SRAM of some kind.
        memory: String,
        /// Where.
        index: Expr,
        /// What.
        value: Expr,
    },
    /// `r := x`, of registers and `ArgOut`s.
    Set {
        /// The register.
        register: String,
        /// What.
        value: Expr,
    },
    /// `f.enq(x)`, `f.enq(x, condition)`.
    Enqueue {
        /// The FIFO.
        fifo: String,
        /// What.
        value: Expr,
        /// Whether, if not always.
        enable: Option<Expr>,
    },
    /// `m.barrierWrite(i, x, Seq(b.push))`: a write that waits for barriers, and that others wait for.
    BarrierWrite {
        /// A sparse SRAM.
        memory: String,
        /// Where.
        index: Expr,
        /// What.
        value: Expr,
        /// The barriers.
        barriers: Vec<BarrierUse>,
    },
    /// `m.RMW(i, x, "add", "ordered", Seq())`, whose result nobody uses.
    Modify(Modify),
    /// `m load d(a::b par p)`.
    Load {
        /// An SRAM or a FIFO.
        memory: String,
        /// From where.
        part: Part,
    },
    /// `d(a::b par p) store m`.
    Store {
        /// An SRAM or a FIFO.
        memory: String,
        /// To where.
        part: Part,
    },
    /// `d stream_load_vec(base, len, f)`.
    StreamLoad(Stream),
    /// `d stream_store_vec(base, f, len)`.
    StreamStore(Stream),
    /// `gen_bitvector(shift, max, len, crd, bv)`.
    GenBitVector {
        /// What is taken from each coordinate.
        shift: Expr,
        /// How many bits the vector has.
        max: Expr,
        /// How many coordinates there are.
        len: Expr,
        /// The FIFO that they come from.
        crd: String,
        /// The FIFO of words.
        bits: String,
    },
    /// `Foreach(…) { … }`.
    Foreach {
        /// How its iterations overlap.
        schedule: Schedule,
        /// The iterations.
        domain: Domain,
        /// What is done in each.
        body: Block,
    },
    /// `Reduce(r)(…) { … } { _ + _ }`.
    Reduce {
        /// How its iterations overlap.
        schedule: Schedule,
        /// The register that what comes of it is in.
        register: String,
        /// The iterations.
        domain: Domain,
        /// What is done in each.
        body: Block,
        /// What each gives.
        value: Expr,
        /// How two of these become one.
        with: Operator,
    },
    /// `MemReduce(m par p)(…) { … } { _ + _ }`, `MemFold(m par p)(…) { … } { _ + _ }`.
    MemReduce {
        /// How its iterations overlap.
        schedule: Schedule,
        /// Whether what the SRAM holds counts: `MemFold`.
        is_fold: bool,
        /// The SRAM that all iterations are reduced into.
        memory: String,
        /// How many elements at once.
        par: Expr,
        /// The iterations.
        domain: Domain,
        /// What is done in each.
        body: Block,
        /// The SRAM that each gives, as large.
        value: String,
        /// How two elements become one.
        with: Operator,
    },
    /// `if (…) { … } else { … }`.
    If {
        /// The condition.
        condition: Expr,
        /// What is done where it holds.
        then: Block,
        /// What is done where not.
        otherwise: Block,
    },
}

/// `m.RMW(i, x, "add", "ordered", Seq())`: what is there is read, combined, and written back, at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Modify {
    /// A sparse SRAM.
    pub memory: String,
    /// Where.
    pub index: Expr,
    /// What is combined with what is there.
    pub value: Expr,
    /// How.
    pub with: Modification,
    /// `"ordered"` or `"unordered"`.
    pub order: String,
    /// The barriers to wait for.
    pub barriers: Vec<BarrierUse>,
}

/// `b.push` and `b.pop`, as an access of a sparse SRAM lists them.
#[derive(Clone, Debug)]
pub struct BarrierUse {
    /// The barrier.
    pub barrier: String,
    /// What the access does with it.
    pub action: BarrierAction,
    /// Where it is.
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
pub struct Part {
    /// A DRAM.
    pub dram: String,
    /// The first.
    pub from: Expr,
    /// The one behind the last.
    pub to: Expr,
    /// How many at once.
    pub par: Option<Expr>,
}

/// A transfer between a DRAM and a FIFO.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// The DRAM.
    pub dram: String,
    /// Its first element.
    pub base: Expr,
    /// How many.
    pub len: Expr,
    /// The FIFO.
    pub fifo: String,
}

/// The iterations of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// `Foreach(n by 1 par p) { i => … }`, and `Foreach(0 until n by 1, 0 until m by 1) { (i, j) => … }`: the
    /// last counter is the fastest.
    Counters(Vec<Counter>),
    /// `Foreach(Scan(p, n, "or", a.deq)) { case List(i, a) => … }`: the bits that are 1.
    Scan {
        /// How many at once.
        par: Expr,
        /// How many bits.
        len: Expr,
        /// The FIFO of words.
        bits: String,
        /// Its binders: the coordinate, then the number of the bit among those that are 1.
        binders: [String; 2],
    },
    /// `Foreach(Scan(p, n, "or", a, b)) { case List(i, a, out, b) => … }`, and `ScanRed` of `Reduce`.
    ScanTwo {
        /// How many at once.
        par: Expr,
        /// How many bits.
        len: Expr,
        /// Which ones.
        mode: ScanMode,
        /// The FIFOs of words.
        bits: [String; 2],
        /// Its binders: the coordinate; its number among those of the first, or -1; its number among those of
        /// the result; its number among those of the second, or -1.
        binders: [String; 4],
    },
}

/// `from until to by step par p`.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    /// Its name.
    pub binder: String,
    /// The first value; 0 where it is not written.
    pub from: Option<Expr>,
    /// The values stay below.
    pub to: Expr,
    /// From one to the next.
    pub step: Expr,
    /// How many iterations at once.
    pub par: Option<Expr>,
}

/// A value.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is.
    pub span: Span,
}

/// What a value is.
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
    To(Box<Expr>, Type),
    /// `m(i)`: of an SRAM, a `SparseDRAM`, an array of the host.
    Read(String, Box<Expr>),
    /// `f.deq`.
    Dequeue(String),
    /// `h.length`, of arrays of the host.
    Length(String),
    /// `args(0)`, of the host.
    Argument(Box<Expr>),
    /// `getArg(n)`, of the host.
    GetArg(String),
    /// `-x`.
    Negate(Box<Expr>),
    /// `!x`.
    Not(Box<Expr>),
    /// `a + b`, `min(a, b)`.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `mux(c, a, b)`: both are evaluated.
    Mux(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `exp(x)`.
    Call(Function, Box<Expr>),
    /// `m.RMW(i, x, "add", "ordered", Seq())`: what is there afterwards.
    Modify(Box<Modify>),
    /// `m.barrierRead(i, Seq(b.pop))`: a read that waits for barriers, and that others wait for.
    BarrierRead {
        /// A sparse SRAM.
        memory: String,
        /// Where.
        index: Box<Expr>,
        /// The barriers.
        barriers: Vec<BarrierUse>,
    },
    /// `Array.tabulate[T](n) { i => … }`, of the host: an array. The binder is `_` if nothing depends on it.
    Tabulate {
        /// Of its elements, where it is said.
        element: Option<Type>,
        /// How many.
        size: Box<Expr>,
        /// Which one.
        binder: String,
        /// What it is.
        value: Box<Expr>,
    },
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
    Parameter: name, value;
    Host: kind;
    Statement: kind;
    Expr: kind;
    BarrierUse: barrier, action;
}
