//! The parts of a statement that are written on one line without regard to what stands around them.

use super::expr::ExprPrinter;
use crate::ast::{
    Assign, BinaryOp, Dim, DimKind, Expr, FormatKind, FormatOption, FormatOptionKind, FormatSpec, Ident,
    IdentityValue, Index, LevelIndex, Mask, MemoryRegion, Number, OperatorProperties, Range, RangeKind,
    SettingValue, TensorDecl, Window, WrittenLevel,
};

pub(crate) fn joined<T>(items: &[T], separator: &str, text: impl Fn(&T) -> String) -> String {
    items.iter().map(text).collect::<Vec<_>>().join(separator)
}

/// `i,j`, as inside of an access.
pub(crate) fn names(names: &[Ident]) -> String {
    joined(names, ",", |name| name.name.clone())
}

/// `A[i,j]`.
pub(crate) fn access(exprs: ExprPrinter<'_>, tensor: &Ident, indices: &[Index]) -> String {
    format!("{}[{}]", tensor.name, joined(indices, ",", |index| self::index(exprs, index)))
}

fn index(exprs: ExprPrinter<'_>, index: &Index) -> String {
    let whole = |expr: &Option<Expr>| expr.as_ref().map_or(String::new(), |expr| exprs.whole(expr));
    match index {
        Index::Name(name) => name.name.clone(),
        Index::At(expr) => exprs.whole(expr),
        Index::Window(window) => {
            let Window { label, lo, hi, step, .. } = window.as_ref();
            let label = label.as_ref().map_or(String::new(), |label| format!("{} in ", label.name));
            let step = step.as_ref().map_or(String::new(), |step| format!(":{}", exprs.whole(step)));
            format!("{label}{}:{}{step}", whole(lo), whole(hi))
        }
    }
}

/// The shortest text that reads as the same number.
pub(crate) fn number(number: &Number) -> String {
    match number.integer {
        Some(integer) => integer.to_string(),
        None => format!("{:?}", number.value),
    }
}

fn numbers(list: &[Number]) -> String {
    joined(list, ",", number)
}

pub(crate) fn tensor(decl: &TensorDecl) -> String {
    let dims = joined(&decl.dims, ", ", dim);
    let options: String = decl.options.iter().map(|option| format!(", {}", format_option(option))).collect();
    let (element, name, format) = (decl.element.word(), &decl.name.name, format(&decl.format));
    format!("Tensor<{element}> {name}([{dims}], {format}{options})")
}

fn dim(dim: &Dim) -> String {
    match &dim.kind {
        DimKind::Label(name) => name.clone(),
        DimKind::Size(size) => number(size),
        DimKind::Open => "?".to_owned(),
    }
}

/// A format with its options, as it stands in a declaration.
pub fn print_format(spec: &FormatSpec, options: &[FormatOption]) -> String {
    let options = options.iter().map(|option| format!(", {}", format_option(option)));
    format(spec) + &options.collect::<String>()
}

pub(crate) fn format(format: &FormatSpec) -> String {
    match &format.kind {
        FormatKind::Name { name, args } if args.is_empty() => name.name.clone(),
        FormatKind::Name { name, args } => {
            format!("{}<{}>", name.name, joined(args, ",", |(arg, _)| number(arg)))
        }
        FormatKind::Levels(levels) => format!("{{{}}}", joined(levels, ", ", |level| level.kind.to_string())),
        FormatKind::Map { modes, levels } => {
            let modes = joined(modes, ", ", |mode| mode.name.clone());
            format!("{{ ({modes}) -> ({}) }}", joined(levels, ", ", mapped_level))
        }
    }
}

fn mapped_level((index, mapped): &(LevelIndex, WrittenLevel)) -> String {
    let index = match index {
        LevelIndex::Whole(mode) => mode.name.clone(),
        LevelIndex::Div(mode, by) => format!("{}/{}", mode.name, number(by)),
        LevelIndex::Mod(mode, by) => format!("{}%{}", mode.name, number(by)),
    };
    format!("{index} : {}", mapped.kind)
}

fn format_option(option: &FormatOption) -> String {
    match &option.kind {
        FormatOptionKind::Order(order) => format!("order={{{}}}", numbers(order)),
        FormatOptionKind::Memory(memory) => format!("memory={}", <&str>::from(memory)),
        FormatOptionKind::Index(width) => format!("index={width}"),
        FormatOptionKind::On(placement) => format!("on={}", <&str>::from(placement)),
    }
}

pub(crate) fn range(range: &Range) -> String {
    let inside = match &range.kind {
        RangeKind::Open => "?".to_owned(),
        RangeKind::Size(size) => number(size),
        RangeKind::Bounds { lo, hi, step } => {
            let hi = hi.as_ref().map_or("?".to_owned(), number);
            let step = step.as_ref().map(|step| format!(":{}", number(step))).unwrap_or_default();
            format!("{}:{hi}{step}", number(lo))
        }
    };
    format!("[{inside}]")
}

/// `A[i,j]<M, push> +=`.
pub(crate) fn assign_target(exprs: ExprPrinter<'_>, assign: &Assign) -> String {
    let op: &str = assign.op.into();
    let mask = assign.mask.as_ref().map(mask).unwrap_or_default();
    format!("{}{mask} {op}", access(exprs, &assign.tensor, &assign.indices))
}

fn mask(mask: &Mask) -> String {
    let bang = if mask.complement { "!" } else { "" };
    let method = mask.method.map_or(String::new(), |method| format!(", {}", <&str>::from(method)));
    format!("<{bang}{}{method}>", mask.tensor.name)
}

/// A workspace as `precompute` introduces it.
pub(crate) fn workspace(name: &Ident, memory: Option<MemoryRegion>, spec: &FormatSpec) -> String {
    let region = memory.map_or(String::new(), |memory| format!("{} ", <&str>::from(memory)));
    format!("{} : {region}{}", name.name, format(spec))
}

pub(crate) fn setting(value: &SettingValue) -> String {
    match value {
        SettingValue::Word(word) => word.name.clone(),
        SettingValue::Number(value, unit) => number(value) + unit.map_or("", Into::into),
    }
}

/// `operator(identity=0, associative, commutative)`.
pub(crate) fn properties(properties: &OperatorProperties) -> String {
    let identity = properties.identity.map(|identity| {
        let sign = if identity.is_negative { "-" } else { "" };
        let value = match identity.value {
            IdentityValue::Number(value) => number(&value),
            IdentityValue::Infinite => "inf".to_owned(),
        };
        format!("identity={sign}{value}")
    });
    let associative = properties.is_associative.then(|| "associative".to_owned());
    let commutative = properties.is_commutative.then(|| "commutative".to_owned());
    let stated: Vec<String> = identity.into_iter().chain(associative).chain(commutative).collect();
    format!("operator({})", stated.join(", "))
}

pub(crate) fn binary_op(op: BinaryOp) -> String {
    match op {
        BinaryOp::Monoid(op) => format!("@({})", op.symbol()),
        BinaryOp::Semiring(reduce, combine) => format!("@({},{})", reduce.symbol(), combine.symbol()),
        infix => <&str>::from(infix).to_owned(),
    }
}
