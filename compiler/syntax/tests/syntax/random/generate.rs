//! Strategies for every node of the syntax tree that a text can have.

use comet_diag::Span;
use comet_syntax::ast::*;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// Places are not compared.
const NOWHERE: Span = Span { start: 0, end: 0 };

const KEYWORDS: [&str; 16] = [
    "def",
    "var",
    "return",
    "IndexLabel",
    "Tensor",
    "double",
    "float",
    "int",
    "for",
    "in",
    "range",
    "end",
    "if",
    "else",
    "while",
    "transpose",
];

const CONTEXTUAL: [&str; 17] = [
    "push", "pull", "auto", "any", "min", "order", "memory", "index", "schedule", "D", "CU", "S", "BV",
    "KiB", "elif", "break", "continue",
];

fn name() -> impl Strategy<Value = String> {
    let free =
        "[A-Za-z_][A-Za-z0-9_]{0,3}".prop_filter("a keyword", |name| !KEYWORDS.contains(&name.as_str()));
    prop_oneof![3 => free, 1 => select(CONTEXTUAL.to_vec()).prop_map(str::to_owned)]
}

fn ident() -> impl Strategy<Value = Ident> {
    name().prop_map(|name| Ident { name, span: NOWHERE })
}

fn idents(from: usize) -> impl Strategy<Value = Vec<Ident>> {
    vec(ident(), from..4)
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        prop_oneof![0..100i64, 0..=i64::MAX]
            .prop_map(|value| Number { value: value as f64, integer: Some(value) }),
        prop_oneof![0.0..100.0f64, 0.0..=f64::MAX, Just(1e-310)]
            .prop_map(|value| Number { value, integer: None }),
    ]
}

fn semiring_op() -> impl Strategy<Value = OperatorName> {
    use Operator::{Add, And, Any, Div, First, Max, Min, Mul, Or, Pair, Second, Sub};
    select(vec![Add, Sub, Mul, Div, Min, Max, Any, First, Second, Pair, Or, And])
        .prop_map(OperatorName::Operator)
}

fn binary_op() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp::{Add, And, Div, ElementwiseMul, Eq, Ge, Gt, Le, Lt, Mul, Ne, Or, Sub};
    prop_oneof![
        select(vec![Or, And, Eq, Ne, Lt, Le, Gt, Ge, Add, Sub, Mul, Div, ElementwiseMul]),
        select(vec![Add, Sub, Mul, Lt, Ge]),
        semiring_op().prop_map(BinaryOp::Monoid),
        (semiring_op(), semiring_op()).prop_map(|(reduce, combine)| BinaryOp::Semiring(reduce, combine)),
    ]
}

fn expr_of(kind: ExprKind) -> Expr {
    Expr { kind, span: NOWHERE }
}

/// Words, windows, and what else is one expression.
fn indices() -> impl Strategy<Value = Vec<Index>> {
    // Behind a colon these words begin a statement.
    let word =
        || name().prop_filter("a statement", |name| !["elif", "break", "continue"].contains(&name.as_str()));
    let bound = || prop_oneof![number().prop_map(ExprKind::Number), word().prop_map(ExprKind::Name)];
    let part = move || option::of(bound().prop_map(expr_of));
    let window = (option::of(ident()), part(), part(), part()).prop_map(|(label, lo, hi, step)| {
        Index::Window(Box::new(Window { label, lo, hi, step, span: NOWHERE }))
    });
    let shifted = (name(), number()).prop_map(|(label, by)| {
        let [left, right] = [ExprKind::Name(label), ExprKind::Number(by)].map(|kind| Box::new(expr_of(kind)));
        Index::At(expr_of(ExprKind::Binary { op: BinaryOp::Sub, op_span: NOWHERE, left, right }))
    });
    let at = number().prop_map(|number| Index::At(expr_of(ExprKind::Number(number))));
    vec(prop_oneof![6 => ident().prop_map(Index::Name), 1 => at, 1 => shifted, 1 => window], 0..4)
}

fn leaf() -> impl Strategy<Value = Expr> {
    let access = (ident(), indices()).prop_map(|(tensor, indices)| ExprKind::Access { tensor, indices });
    let transpose = (ident(), idents(1), idents(1)).prop_map(|(tensor, indices, permuted)| {
        let indices = indices.into_iter().map(Index::Name).collect();
        ExprKind::Transpose { tensor, indices, permuted }
    });
    prop_oneof![
        3 => name().prop_map(ExprKind::Name),
        3 => number().prop_map(ExprKind::Number),
        4 => access,
        1 => transpose,
    ]
    .prop_map(expr_of)
}

fn expr() -> impl Strategy<Value = Expr> {
    leaf().prop_recursive(5, 24, 4, |inner| {
        let text = "[a-z.\\\\/]{0,5}".prop_map(|text| expr_of(ExprKind::Str(text)));
        let arg = prop_oneof![4 => inner.clone(), 1 => text];
        let binary = (binary_op(), inner.clone(), inner.clone()).prop_map(|(op, left, right)| {
            ExprKind::Binary { op, op_span: NOWHERE, left: Box::new(left), right: Box::new(right) }
        });
        let call = (ident(), vec(arg, 0..4)).prop_map(|(callee, args)| ExprKind::Call { callee, args });
        prop_oneof![
            6 => binary,
            2 => inner.clone().prop_map(|operand| ExprKind::Neg(Box::new(operand))),
            1 => call,
            1 => vec(inner, 0..4).prop_map(ExprKind::Array),
        ]
        .prop_map(expr_of)
    })
}

fn level() -> impl Strategy<Value = WrittenLevel> {
    use LevelKind::{BitVector, CompressedNonUnique, CompressedUnique, Dense, Singleton};
    let plain = select(vec![Dense, CompressedUnique, CompressedNonUnique, Singleton]);
    let bits = (0..=u32::MAX).prop_map(BitVector);
    prop_oneof![4 => plain, 1 => bits].prop_map(|kind| WrittenLevel { kind, span: NOWHERE })
}

fn level_index() -> impl Strategy<Value = LevelIndex> {
    prop_oneof![
        ident().prop_map(LevelIndex::Whole),
        (ident(), number()).prop_map(|(mode, by)| LevelIndex::Div(mode, by)),
        (ident(), number()).prop_map(|(mode, by)| LevelIndex::Mod(mode, by)),
    ]
}

fn format() -> impl Strategy<Value = FormatSpec> {
    let args = vec(number().prop_map(|number| (number, NOWHERE)), 0..3);
    let named = (ident(), args).prop_map(|(name, args)| FormatKind::Name { name, args });
    let map = (idents(1), vec((level_index(), level()), 1..4))
        .prop_map(|(modes, levels)| FormatKind::Map { modes, levels });
    prop_oneof![named, vec(level(), 1..4).prop_map(FormatKind::Levels), map]
        .prop_map(|kind| FormatSpec { kind, span: NOWHERE })
}

fn format_option() -> impl Strategy<Value = FormatOption> {
    prop_oneof![
        vec(number(), 1..4).prop_map(FormatOptionKind::Order),
        select(vec![MemoryRegion::OnChip, MemoryRegion::OffChip]).prop_map(FormatOptionKind::Memory),
        select(vec![IndexWidth::I32, IndexWidth::I64]).prop_map(FormatOptionKind::Index),
    ]
    .prop_map(|kind| FormatOption { kind, span: NOWHERE })
}

fn element() -> impl Strategy<Value = Element> {
    select(vec![Element::F64, Element::F32, Element::I64])
}

fn tensor() -> impl Strategy<Value = TensorDecl> {
    let dim =
        prop_oneof![name().prop_map(DimKind::Label), number().prop_map(DimKind::Size), Just(DimKind::Open)]
            .prop_map(|kind| Dim { kind, span: NOWHERE });
    (element(), ident(), vec(dim, 0..4), format(), vec(format_option(), 0..3)).prop_map(
        |(element, name, dims, format, options)| TensorDecl {
            element,
            name,
            dims,
            format,
            options,
            span: NOWHERE,
        },
    )
}

fn range() -> impl Strategy<Value = Range> {
    let bounds = (number(), option::of(number()), option::of(number()));
    prop_oneof![
        Just(RangeKind::Open),
        number().prop_map(RangeKind::Size),
        bounds.prop_map(|(lo, hi, step)| RangeKind::Bounds { lo, hi, step }),
    ]
    .prop_map(|kind| Range { kind, span: NOWHERE })
}

fn mask() -> impl Strategy<Value = Mask> {
    let method = option::of(select(vec![MaskMethod::Push, MaskMethod::Pull, MaskMethod::Auto]));
    (any::<bool>(), ident(), method).prop_map(|(complement, tensor, method)| Mask {
        complement,
        tensor,
        method,
        span: NOWHERE,
    })
}

fn command_arg() -> impl Strategy<Value = CommandArg> {
    let unit = option::of(select(vec![ByteUnit::B, ByteUnit::KiB, ByteUnit::MiB]));
    let setting = prop_oneof![
        (number(), unit).prop_map(|(number, unit)| SettingValue::Number(number, unit)),
        ident().prop_map(SettingValue::Word),
    ];
    let region = option::of(select(vec![MemoryRegion::OnChip, MemoryRegion::OffChip]));
    prop_oneof![
        expr().prop_map(CommandArgKind::Expr),
        idents(1).prop_map(CommandArgKind::Labels),
        (ident(), number()).prop_map(|(name, size)| CommandArgKind::Sized(name, size)),
        (ident(), region, format())
            .prop_map(|(name, region, format)| CommandArgKind::Formatted(name, region, format)),
        (ident(), setting).prop_map(|(name, value)| CommandArgKind::Setting(name, value)),
    ]
    .prop_map(|kind| CommandArg { kind, span: NOWHERE })
}

fn schedule() -> impl Strategy<Value = Schedule> {
    let command =
        (ident(), vec(command_arg(), 0..3)).prop_map(|(name, args)| Command { name, args, span: NOWHERE });
    vec(command, 0..3).prop_map(|commands| Schedule { commands, span: NOWHERE })
}

fn assign() -> impl Strategy<Value = Assign> {
    let op = select(vec![AssignOp::Set, AssignOp::Add, AssignOp::Sub]);
    (ident(), indices(), option::of(mask()), op, expr(), option::of(schedule())).prop_map(
        |(tensor, indices, mask, op, value, schedule)| Assign {
            tensor,
            indices,
            target_span: NOWHERE,
            mask,
            op,
            value,
            schedule,
        },
    )
}

fn update_op() -> impl Strategy<Value = BinaryOp> {
    select(vec![BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div])
}

fn stmt() -> impl Strategy<Value = Stmt> {
    let simple = prop_oneof![
        (idents(1), option::of(range())).prop_map(|(names, range)| StmtKind::Label { names, range }),
        tensor().prop_map(StmtKind::Tensor),
        (ident(), expr()).prop_map(|(name, value)| StmtKind::Var { name, value }),
        (ident(), option::of(update_op()), expr()).prop_map(|(name, op, value)| StmtKind::SetScalar {
            name,
            op,
            value
        }),
        select(vec![StmtKind::Break, StmtKind::Continue]),
        assign().prop_map(StmtKind::Assign),
        option::of(expr()).prop_map(StmtKind::Return),
        expr().prop_map(StmtKind::Expr),
    ];
    let simple = simple.prop_map(|kind| Stmt { kind, span: NOWHERE });
    simple.prop_recursive(3, 12, 3, |inner| {
        let body = || vec(inner.clone(), 0..3);
        prop_oneof![
            (ident(), vec(expr(), 1..4), body()).prop_map(|(var, bounds, body)| StmtKind::For {
                var,
                bounds,
                body
            }),
            (expr(), body()).prop_map(|(condition, body)| StmtKind::While { condition, body }),
            (vec((expr(), body()), 1..4), option::of(body())).prop_map(|(branches, else_body)| {
                let branches = branches.into_iter().map(|(condition, body)| Branch { condition, body });
                StmtKind::If { branches: branches.collect(), else_body }
            }),
        ]
        .prop_map(|kind| Stmt { kind, span: NOWHERE })
    })
}

fn param() -> impl Strategy<Value = Param> {
    let scalar =
        (element(), ident()).prop_map(|(element, name)| Param::Scalar { element, name, span: NOWHERE });
    prop_oneof![tensor().prop_map(Param::Tensor), scalar]
}

fn properties() -> impl Strategy<Value = OperatorProperties> {
    let value = prop_oneof![number().prop_map(IdentityValue::Number), Just(IdentityValue::Infinite)];
    let identity = (any::<bool>(), value).prop_map(|(is_negative, value)| Identity {
        is_negative,
        value,
        span: NOWHERE,
    });
    (option::of(identity), any::<bool>(), any::<bool>()).prop_map(
        |(identity, is_associative, is_commutative)| OperatorProperties {
            identity,
            is_associative,
            is_commutative,
            span: NOWHERE,
        },
    )
}

/// A program of a few functions.
pub(super) fn module() -> impl Strategy<Value = Module> {
    let function =
        (ident(), vec(param(), 0..3), option::of(param()), option::of(properties()), vec(stmt(), 0..5))
            .prop_map(|(name, params, result, properties, body)| Function {
                name,
                params,
                result,
                properties,
                body,
                span: NOWHERE,
            });
    vec(function, 0..3).prop_map(|functions| Module { functions })
}
