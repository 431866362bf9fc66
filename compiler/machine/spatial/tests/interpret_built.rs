//! Applications that were not read from a text are checked all the same: each of these statements breaks a
//! rule of names or types.

use comet_diag::{Diagnostic, Span};
use comet_spatial::app::{
    App, BarrierAction, BarrierUse, Counter, Domain, DramPart, Expr, ExprKind, Function, Host, HostKind,
    Kind, Memory, MemoryKind, Modification, Modify, Operator, Pattern, PatternResult, Schedule,
    SparseVariant, Statement, Stream, Type,
};
use comet_spatial::interpret::{Inputs, run};

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

fn int(value: i64) -> Expr {
    expr(ExprKind::Int(value))
}

fn name(name: &str) -> Expr {
    expr(ExprKind::Name(name.to_owned()))
}

fn binary(operator: Operator, left: Expr, right: Expr) -> Expr {
    expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)))
}

fn memory(name: &str, element: Type, kind: MemoryKind) -> Kind {
    Kind::Memory(Memory { name: name.to_owned(), element, kind, marks: Vec::new() })
}

fn set(register: &str, value: Expr) -> Kind {
    Kind::Set { register: register.to_owned(), value }
}

fn write(memory: &str, value: Expr) -> Kind {
    Kind::Write { memory: memory.to_owned(), index: int(0), value }
}

fn part(dram: &str) -> DramPart {
    DramPart { dram: dram.to_owned(), from: int(0), to: int(1), par: None }
}

fn stream(dram: &str, fifo: &str) -> Stream {
    Stream { dram: dram.to_owned(), base: int(0), len: int(1), fifo: fifo.to_owned() }
}

fn modify(memory: &str, with: Modification, order: &str, barrier: Option<&str>) -> Kind {
    let barrier = barrier.map(|barrier| BarrierUse {
        barrier: barrier.to_owned(),
        action: BarrierAction::Pop,
        span: Span::default(),
    });
    Kind::Modify(Modify {
        memory: memory.to_owned(),
        index: int(0),
        value: int(1),
        with,
        order: order.to_owned(),
        barriers: barrier.into_iter().collect(),
    })
}

fn counted() -> Domain {
    let counter = Counter { binder: "i".to_owned(), from: None, to: int(3), step: int(1), par: None };
    Domain::Counters(vec![counter])
}

fn host(kind: HostKind) -> Host {
    Host { kind, span: Span::default() }
}

fn dram(name: &str) -> HostKind {
    HostKind::Dram { name: name.to_owned(), element: Type::Int, size: int(4) }
}

/// The host's part in front of all cases.
fn before() -> Vec<HostKind> {
    let tabulate = ExprKind::Tabulate {
        element: Some(Type::Int),
        size: Box::new(int(3)),
        binder: "i".to_owned(),
        value: Box::new(name("i")),
    };
    vec![
        HostKind::ArgIn("n".to_owned(), Type::Int),
        HostKind::SetArg("n".to_owned(), int(2)),
        HostKind::ArgOut("out".to_owned(), Type::Int),
        dram("plain"),
        HostKind::Val("array".to_owned(), expr(tabulate)),
        HostKind::Val("first".to_owned(), expr(ExprKind::Read("array".to_owned(), Box::new(int(0))))),
    ]
}

/// The memories in front of all cases.
fn memories() -> Vec<Kind> {
    let registers = [("r", Type::Int), ("real", Type::Double), ("word", Type::U32)];
    let mut kinds: Vec<Kind> =
        registers.map(|(name, element)| memory(name, element, MemoryKind::Register { init: None })).into();
    kinds.push(memory("dense", Type::Int, MemoryKind::Sram { size: int(4) }));
    kinds.push(memory("reals", Type::Double, MemoryKind::Sram { size: int(4) }));
    let kind = MemoryKind::SparseSram { variant: SparseVariant::Plain, size: int(4) };
    kinds.push(memory("any", Type::Int, kind));
    kinds.push(memory("queue", Type::Int, MemoryKind::Fifo { depth: int(4) }));
    kinds.push(memory("queue_of_reals", Type::Double, MemoryKind::Fifo { depth: int(4) }));
    kinds.push(Kind::Barrier { name: "barrier".to_owned(), init: int(1) });
    kinds
}

fn message(accel: Vec<Kind>, after: Vec<HostKind>) -> String {
    let statement = |kind| Statement { kind, span: Span::default() };
    let app = App {
        name: "Built".to_owned(),
        comment: Vec::new(),
        tensors: Vec::new(),
        parameters: Vec::new(),
        types: Vec::new(),
        arguments: Vec::new(),
        before: before().into_iter().map(host).collect(),
        accel: memories().into_iter().chain(accel).map(statement).collect(),
        after: after.into_iter().map(host).collect(),
    };
    let Err(Diagnostic { message, .. }) = run(&app, &Inputs::default()) else {
        return "it runs".to_owned();
    };
    message
}

#[test]
fn the_rest_runs() {
    assert_eq!(message(Vec::new(), Vec::new()), "it runs");
}

#[test]
fn names() {
    let cases = [
        (set("r", name("q")), "unknown name `q`"),
        (set("q", int(1)), "unknown name `q`"),
        (memory("r", Type::Int, MemoryKind::Register { init: None }), "`r` is declared twice in a block"),
        (set("r", name("dense")), "`dense` is an `SRAM`, and a value is needed here"),
        (set("r", name("queue")), "`queue` is a `FIFO`, and a value is needed here"),
        (set("r", name("barrier")), "`barrier` is a barrier, and a value is needed here"),
        (set("r", name("out")), "`out` is an `ArgOut`, and the accelerator sets it and cannot read it"),
        (set("r", name("first")), "`first` is of the host, and is used on the accelerator"),
        (set("n", int(1)), "`n` is an `ArgIn`, and only registers and `ArgOut`s are set"),
        (set("dense", int(1)), "`dense` is an `SRAM`, and only registers and `ArgOut`s are set"),
        (
            set("r", expr(ExprKind::Dequeue("dense".to_owned()))),
            "`dense` is an `SRAM`, and a FIFO is needed here",
        ),
        (
            set("r", expr(ExprKind::GetArg("n".to_owned()))),
            "the accelerator has its arguments by name: leave out `getArg`",
        ),
        (
            set("r", expr(ExprKind::Length("array".to_owned()))),
            "`array` is an array of the host, and only arrays of the host have a length",
        ),
    ];
    for (kind, expected) in cases {
        assert_eq!(message(vec![kind], Vec::new()), expected);
    }
}

#[test]
fn memories_and_transfers() {
    let element = |memory: &str| set("r", expr(ExprKind::Read(memory.to_owned(), Box::new(int(0)))));
    let load = |memory: &str, dram: &str| Kind::Load { memory: memory.to_owned(), part: part(dram) };
    let fifo = |depth| memory("f", Type::Int, MemoryKind::Fifo { depth });
    let cases = [
        (element("plain"), "`plain` is a `DRAM`, and has no elements by address"),
        (element("array"), "`array` is an array of the host, and is used on the accelerator"),
        (element("queue"), "`queue` is a `FIFO`, and has no elements by address"),
        (write("plain", int(1)), "`plain` is a `DRAM`, and the accelerator writes it by transfers only"),
        (write("array", int(1)), "`array` is an array of the host, and the accelerator cannot reach it"),
        (write("queue", int(1)), "`queue` is a `FIFO`, and an SRAM is needed here"),
        (load("dense", "any"), "`any` is a sparse SRAM, and a DRAM is needed here"),
        (load("r", "plain"), "`r` is a register, and an SRAM is needed here"),
        (
            load("reals", "plain"),
            "`reals` has elements of type `Double`, and those in DRAM are of type `Int`",
        ),
        (
            Kind::StreamLoad(stream("plain", "queue_of_reals")),
            "`queue_of_reals` has elements of type `Double`, and those in DRAM are of type `Int`",
        ),
        (
            modify("dense", Modification::Add, "ordered", None),
            "`dense` is an `SRAM`, and elements of sparse SRAMs only are modified in place or waited for",
        ),
        (modify("any", Modification::Add, "sorted", None), "unknown order `sorted`"),
        (
            modify("any", Modification::Add, "ordered", Some("r")),
            "`r` is a register, and a barrier is needed here",
        ),
        (fifo(int(0)), "the depth of a FIFO is 0, and 1 at least"),
        (fifo(name("n")), "the depth of a FIFO is known only when the application runs"),
        (
            memory("m", Type::Int, MemoryKind::Sram { size: name("real") }),
            "this is of type `Double`, and an integer is needed",
        ),
        (memory("m", Type::Named("W".to_owned()), MemoryKind::Sram { size: int(1) }), "unknown type `W`"),
        (
            Kind::GenBitVector {
                shift: int(0),
                max: int(9),
                len: int(1),
                crd: "queue_of_reals".to_owned(),
                bits: "queue".to_owned(),
            },
            "`queue_of_reals` has elements of type `Double`, and coordinates are integers",
        ),
    ];
    for (kind, expected) in cases {
        assert_eq!(message(vec![kind], Vec::new()), expected);
    }
}

#[test]
fn types() {
    let to = |value, of| set("r", expr(ExprKind::To(Box::new(value), of)));
    let call = |function, value| set("r", expr(ExprKind::Call(function, Box::new(value))));
    let cases = [
        (set("r", name("real")), "this is of type `Double`, and `Int` is needed"),
        (set("r", binary(Operator::Add, name("r"), name("real"))), "`Int` and `Double` meet here"),
        (
            set("real", binary(Operator::And, name("real"), name("real"))),
            "there is no `&&` for type `Double`",
        ),
        (set("word", expr(ExprKind::Negate(Box::new(name("word"))))), "there is no `-` for type `U32`"),
        (call(Function::Exp, name("r")), "there is no `exp` for type `Int`"),
        (to(name("r"), Type::Bit), "`Int` cannot be converted to `Bit`"),
        (set("r", expr(ExprKind::Float(1.5))), "type `Int` has no 1.5"),
        (set("r", expr(ExprKind::Not(Box::new(name("r"))))), "this is of type `Int`, and `Bit` is needed"),
        (set("r", expr(ExprKind::Text("one".to_owned()))), "a text is no value to compute with"),
        (set("r", binary(Operator::Add, int(i64::MAX), int(1))), "this number does not fit 64 bits"),
        (set("r", expr(ExprKind::Negate(Box::new(int(i64::MIN))))), "this number does not fit 64 bits"),
    ];
    for (kind, expected) in cases {
        assert_eq!(message(vec![kind], Vec::new()), expected);
    }
}

fn pattern(domain: Domain, body: Vec<Statement>, result: PatternResult) -> Kind {
    Kind::Pattern(Pattern { schedule: Schedule::Pipelined, domain, body, result })
}

#[test]
fn patterns() {
    let reduce = |register: &str, with, value: Expr| {
        pattern(counted(), Vec::new(), PatternResult::Register { register: register.to_owned(), value, with })
    };
    let mem_reduce = |value: &str| {
        let result = PatternResult::Memory {
            is_fold: false,
            memory: "dense".to_owned(),
            par: int(1),
            value: value.to_owned(),
            with: Operator::Add,
        };
        pattern(counted(), Vec::new(), result)
    };
    let scan = Domain::Scan {
        par: int(1),
        len: int(9),
        bits: "queue".to_owned(),
        binders: ["i".to_owned(), "a".to_owned()],
    };
    let cases = [
        (
            reduce("r", Operator::Subtract, int(1)),
            "`-` cannot reduce: it depends on how iterations are grouped",
        ),
        (reduce("r", Operator::Add, name("real")), "this is of type `Double`, and `Int` is needed"),
        (
            reduce("dense", Operator::Add, int(1)),
            "`dense` is an `SRAM`, and only registers and `ArgOut`s are set",
        ),
        (mem_reduce("reals"), "`dense` has elements of type `Int`, and each round gives those of `Double`"),
        (mem_reduce("r"), "`r` is a register, and an SRAM is needed here"),
        (pattern(scan, Vec::new(), PatternResult::None), "`queue` has elements of type `Int`"),
    ];
    for (kind, expected) in cases {
        assert_eq!(message(vec![kind], Vec::new()), expected);
    }
}

#[test]
fn the_host() {
    let array = || "array".to_owned();
    let cases = [
        (
            HostKind::SetMem { dram: array(), array: array() },
            "`array` is an array of the host, and a DRAM is needed here",
        ),
        (
            HostKind::GetMem { name: "h".to_owned(), dram: array() },
            "`array` is an array of the host, and a DRAM is needed here",
        ),
        (
            HostKind::WriteCsv { array: "plain".to_owned(), file: "x.csv".to_owned() },
            "`plain` is a `DRAM`, and an array of the host is needed here",
        ),
        (HostKind::SetArg("out".to_owned(), int(1)), "`out` is an `ArgOut`, and the host sets an `ArgIn`"),
        (
            HostKind::Print(expr(ExprKind::GetArg("out".to_owned()))),
            "`out` is fetched, and nothing has set it",
        ),
        (
            HostKind::Print(expr(ExprKind::GetArg(array()))),
            "`array` is an array of the host, and an argument is needed here",
        ),
        (
            HostKind::Print(expr(ExprKind::Read("plain".to_owned(), Box::new(int(0))))),
            "`plain` is a `DRAM`, and the host reads it as a whole",
        ),
        (HostKind::Print(name("r")), "unknown name `r`"),
    ];
    for (kind, expected) in cases {
        assert_eq!(message(Vec::new(), vec![kind]), expected);
    }
}

/// Values that are nested deeper than the stack may be are refused, and nearly as deep ones are not.
#[test]
fn depth() {
    let nested = |depth| (0..depth).fold(name("r"), |inner, _| expr(ExprKind::Negate(Box::new(inner))));
    assert_eq!(message(vec![set("r", nested(300))], Vec::new()), "this is nested more than 200 levels deep");
    assert_eq!(message(vec![set("r", nested(190))], Vec::new()), "it runs");
    let rounds = (0..190).fold(Vec::new(), |inner, _| {
        let kind = pattern(Domain::Counters(Vec::new()), inner, PatternResult::None);
        vec![Statement { kind, span: Span::default() }]
    });
    let kinds = rounds.into_iter().map(|statement| statement.kind).collect();
    assert_eq!(message(kinds, Vec::new()), "it runs");
}
