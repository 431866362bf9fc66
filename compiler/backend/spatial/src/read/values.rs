//! Values.

use super::spatial;
use crate::element::of_type;
use crate::words::SameWords;
use comet_diag::Span;
use comet_ir::spatial::{self as ops, Spatial};
use comet_ir::{Block, Op, Ty, Val};
use comet_spatial::app::{BarrierAction, BarrierUse, Expr, ExprKind, Modify, Operator, Type};
use melior::ir::ValueLike;
use melior::ir::attribute::StringAttribute;
use melior::ir::block::BlockArgument;

/// A value as the text has it: by its name, or as what computes it.
pub(super) fn expr(value: Val<'_>) -> Expr {
    let boxed = |value| Box::new(expr(value));
    let kind = match Op::defining(value).map(spatial) {
        Some(Spatial::Int(op)) => ExprKind::Int(op.value()),
        Some(Spatial::Float(op)) => ExprKind::Float(op.value()),
        Some(Spatial::Bool(op)) => ExprKind::Bool(op.value()),
        Some(Spatial::Text(op)) => ExprKind::Text(op.value().to_owned()),
        Some(Spatial::Get(op)) => ExprKind::Name(name(op.reg())),
        Some(Spatial::Cast(op)) => ExprKind::To(boxed(op.value()), named_type(op.alias(), value.r#type())),
        Some(Spatial::Read(op)) => ExprKind::Read(name(op.memory()), boxed(op.index())),
        Some(Spatial::Dequeue(op)) => ExprKind::Dequeue(name(op.fifo())),
        Some(Spatial::Length(op)) => ExprKind::Length(name(op.array())),
        Some(Spatial::Argument(op)) => ExprKind::Argument(boxed(op.number())),
        Some(Spatial::GetArg(op)) => ExprKind::GetArg(name(op.argument())),
        Some(Spatial::Negate(op)) => ExprKind::Negate(boxed(op.value())),
        Some(Spatial::Not(op)) => ExprKind::Not(boxed(op.value())),
        Some(Spatial::Binary(op)) => {
            ExprKind::Binary(op.op().same_word(), boxed(op.left()), boxed(op.right()))
        }
        Some(Spatial::Join(op)) => ExprKind::Binary(Operator::Add, boxed(op.left()), boxed(op.right())),
        Some(Spatial::Mux(op)) => {
            ExprKind::Mux(boxed(op.condition()), boxed(op.then()), boxed(op.otherwise()))
        }
        Some(Spatial::Call(op)) => ExprKind::Call(op.function().same_word(), boxed(op.value())),
        Some(Spatial::Modified(op)) => ExprKind::Modify(Box::new(Modify {
            memory: name(op.memory()),
            index: expr(op.index()),
            value: expr(op.value()),
            with: op.with().same_word(),
            order: op.order().to_owned(),
            barriers: barriers(&op.barriers(), op.actions()),
        })),
        Some(Spatial::BarrierRead(op)) => ExprKind::BarrierRead {
            memory: name(op.memory()),
            index: boxed(op.index()),
            barriers: barriers(&op.barriers(), op.actions()),
        },
        // What is left has a name.
        Some(_) | None => ExprKind::Name(name(value)),
    };
    Expr { kind, span: Span::default() }
}

/// The barriers of an access, with what it does with each.
pub(super) fn barriers(barriers: &[Val<'_>], actions: Option<Vec<String>>) -> Vec<BarrierUse> {
    let actions = actions.unwrap_or_default();
    let used = |(barrier, action): (&Val<'_>, &String)| BarrierUse {
        barrier: name(*barrier),
        action: BarrierAction::of_word(action).expect("the verifier knows the words"),
        span: Span::default(),
    };
    barriers.iter().zip(&actions).map(used).collect()
}

/// The array that an operation computes.
pub(super) fn tabulate(op: ops::Tabulate<'_>) -> Expr {
    let Spatial::Yield(value) = spatial(op.body().terminator()) else {
        unreachable!("the verifier demands a value")
    };
    let kind = ExprKind::Tabulate {
        element: (!op.inferred()).then(|| element(op.alias(), op.result())),
        size: Box::new(expr(op.size())),
        binder: op.binders().swap_remove(0),
        value: Box::new(expr(value.value())),
    };
    Expr { kind, span: Span::default() }
}

/// The name of a value that has one.
pub(super) fn name(value: Val<'_>) -> String {
    // The other way around, each value would be printed for an error that nobody reads.
    if let Some(op) = Op::defining(value) {
        let name = op.attribute("name").and_then(|name| StringAttribute::try_from(name).ok());
        return name.expect("the verifier demands the name").value().to_owned();
    }
    let argument = BlockArgument::try_from(value).expect("it is no result");
    let mut binders = match spatial(Block::from_ref(argument.owner()).parent()) {
        Spatial::Foreach(pattern) => pattern.binders(),
        Spatial::Reduce(pattern) => pattern.binders(),
        Spatial::MemReduce(pattern) => pattern.binders(),
        Spatial::Tabulate(array) => array.binders(),
        _ => unreachable!("only patterns and arrays have binders"),
    };
    binders.swap_remove(argument.argument_number())
}

/// A type under the name that an operation says, if it says one.
pub(super) fn named_type(alias: Option<&str>, ty: Ty<'_>) -> Type {
    alias.map_or_else(|| of_type(ty), |alias| Type::Named(alias.to_owned()))
}

/// The type of the elements of what a declaration declares.
pub(super) fn element(alias: Option<&str>, declared: Val<'_>) -> Type {
    let ty = ops::element(declared.r#type()).expect("what is declared has elements");
    named_type(alias, ty)
}
