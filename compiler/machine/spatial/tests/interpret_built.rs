//! Rules of types, factors and depth that an application can break although `read` has found what its names
//! stand for.

use comet_diag::{Diagnostic, Span};
use comet_spatial::app::{
    App, AppExpr, AppStatement, Counter, Domain, ExprKind, Function, Host, HostKind, Kind, Memory,
    MemoryKind, Operator, Pattern, PatternResult, Scalar, Schedule,
};
use comet_spatial::interpret::{Inputs, run};

fn expr(kind: ExprKind) -> AppExpr {
    AppExpr { kind, span: Span::default() }
}

fn int(value: i64) -> AppExpr {
    expr(ExprKind::Int(value))
}

fn name(name: &str) -> AppExpr {
    expr(ExprKind::Name(name.to_owned()))
}

fn binary(operator: Operator, left: AppExpr, right: AppExpr) -> AppExpr {
    expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)))
}

fn memory(name: &str, element: Scalar, kind: MemoryKind) -> Kind {
    Kind::Memory(Memory { name: name.to_owned(), element: element.into(), kind, marks: Vec::new() })
}

fn set(register: &str, value: AppExpr) -> Kind {
    Kind::Set { register: register.to_owned(), value }
}

fn counted() -> Domain {
    let counter = Counter { binder: "i".to_owned(), from: None, to: int(3), step: int(1), par: None };
    Domain::Counters(vec![counter])
}

fn host(kind: HostKind) -> Host {
    Host { kind, span: Span::default() }
}

/// The host's part in front of all cases.
fn before() -> Vec<HostKind> {
    let int = || Scalar::Int.into();
    vec![
        HostKind::ArgIn("n".to_owned(), int()),
        HostKind::SetArg("n".to_owned(), expr(ExprKind::Int(2))),
        HostKind::ArgOut("out".to_owned(), int()),
    ]
}

/// The registers in front of all cases.
fn registers() -> Vec<Kind> {
    let registers = [("r", Scalar::Int), ("real", Scalar::Double), ("word", Scalar::U32)];
    registers.map(|(name, element)| memory(name, element, MemoryKind::Register { init: None })).into()
}

fn message(accel: Vec<Kind>, after: Vec<HostKind>) -> String {
    let statement = |kind| AppStatement { kind, span: Span::default() };
    let app = App {
        name: "Built".to_owned(),
        comment: Vec::new(),
        tensors: Vec::new(),
        parameters: Vec::new(),
        types: Vec::new(),
        arguments: Vec::new(),
        before: before().into_iter().map(host).collect(),
        accel: registers().into_iter().chain(accel).map(statement).collect(),
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
fn memories() {
    let fifo = |depth| memory("f", Scalar::Int, MemoryKind::Fifo { depth });
    let cases = [
        (
            set("r", expr(ExprKind::GetArg("n".to_owned()))),
            "the accelerator has its arguments by name: leave out `getArg`",
        ),
        (fifo(int(0)), "the depth of a FIFO is 0, and 1 at least"),
        (fifo(name("n")), "the depth of a FIFO is known only when the application runs"),
    ];
    for (kind, expected) in cases {
        assert_eq!(message(vec![kind], Vec::new()), expected);
    }
}

#[test]
fn types() {
    let to = |value, of: Scalar| set("r", expr(ExprKind::To(Box::new(value), of.into())));
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
        (to(name("r"), Scalar::Bit), "`Int` cannot be converted to `Bit`"),
        (set("r", expr(ExprKind::Float(1.5))), "type `Int` has no 1.5"),
        (set("r", expr(ExprKind::Not(Box::new(name("r"))))), "this is of type `Int`, and `Bit` is needed"),
        (set("r", binary(Operator::Add, int(i64::MAX), int(1))), "this number does not fit 64 bits"),
        (set("r", expr(ExprKind::Negate(Box::new(int(i64::MIN))))), "this number does not fit 64 bits"),
    ];
    for (kind, expected) in cases {
        assert_eq!(message(vec![kind], Vec::new()), expected);
    }
}

fn pattern(domain: Domain, body: Vec<AppStatement>, result: PatternResult) -> Kind {
    Kind::Pattern(Pattern { schedule: Schedule::Pipelined, domain, body, result })
}

#[test]
fn reductions() {
    let result =
        PatternResult::Register { register: "r".to_owned(), value: name("real"), with: Operator::Add };
    let kind = pattern(counted(), Vec::new(), result);
    assert_eq!(message(vec![kind], Vec::new()), "this is of type `Double`, and `Int` is needed");
}

#[test]
fn the_host() {
    let kind = HostKind::Print(expr(ExprKind::GetArg("out".to_owned())));
    assert_eq!(message(Vec::new(), vec![kind]), "`out` is fetched, and nothing has set it");
    let text = HostKind::Val("s".to_owned(), expr(ExprKind::Text("abc".to_owned())));
    assert_eq!(message(Vec::new(), vec![text]), "a text is no value to compute with");
}

/// Values that are nested deeper than the stack may be are refused, and nearly as deep ones are not.
#[test]
fn depth() {
    let nested = |depth| (0..depth).fold(name("r"), |inner, _| expr(ExprKind::Negate(Box::new(inner))));
    assert_eq!(message(vec![set("r", nested(300))], Vec::new()), "this is nested more than 200 levels deep");
    assert_eq!(message(vec![set("r", nested(190))], Vec::new()), "it runs");
    let iterations = (0..190).fold(Vec::new(), |inner, _| {
        let kind = pattern(Domain::Counters(Vec::new()), inner, PatternResult::None);
        vec![AppStatement { kind, span: Span::default() }]
    });
    let kinds = iterations.into_iter().map(|statement| statement.kind).collect();
    assert_eq!(message(kinds, Vec::new()), "it runs");
}
