//! What an assignment to a tensor is: a fill, a read, random data, a literal, a call, or an expression.

use std::path::PathBuf;

use comet_syntax::ast::{
    Assign, AssignOp, Element, Expr, ExprKind, Function, Ident, Index, Module, Operator,
};

use crate::Inputs;
use crate::error::{OracleError, Result};
use crate::number::TypedNumber;

/// The forms of an assignment.
pub(crate) enum Action<'a> {
    /// `A[..] = 1.0`.
    Fill(TypedNumber),
    /// `A[..] = comet_read(…)`.
    Read(Vec<&'a Expr>),
    /// `A[..] = random(…)`.
    Random(Vec<&'a Expr>),
    /// `A[..] = [[1, 2], [3, 4]]`.
    Literal(&'a Expr),
    /// `y[..] = f(A, x)`.
    Call(&'a Function, &'a [Expr]),
    Compute,
}

/// What `assign` is.
pub(crate) fn of<'a>(module: &'a Module, assign: &'a Assign) -> Action<'a> {
    let plain = assign.op == AssignOp::Set && assign.mask.is_none();
    if let Some(number) = literal(&assign.value).filter(|_| plain) {
        return Action::Fill(number);
    }
    match &assign.value.kind {
        ExprKind::Array(_) => Action::Literal(&assign.value),
        ExprKind::Call { callee, args } => of_call(module, callee, args),
        _ => Action::Compute,
    }
}

fn of_call<'a>(module: &'a Module, callee: &Ident, args: &'a [Expr]) -> Action<'a> {
    match (function(module, &callee.name), callee.name.as_str()) {
        (Some(function), _) if gives_tensor(function) => Action::Call(function, args),
        (None, "comet_read" | "space_read") => Action::Read(args.iter().collect()),
        (None, "random") => Action::Random(args.iter().collect()),
        _ => Action::Compute,
    }
}

/// The operator by which a function of the language reduces a whole expression.
pub(crate) fn reduction(callee: &Ident) -> Option<Operator> {
    match callee.name.as_str() {
        "SUM" => Some(Operator::Add),
        "MAX" => Some(Operator::Max),
        "MIN" => Some(Operator::Min),
        _ => None,
    }
}

/// The function and the arguments of a call that returns a tensor.
pub(crate) fn tensor_call<'a>(module: &'a Module, expr: &'a Expr) -> Option<(&'a Function, &'a [Expr])> {
    let ExprKind::Call { callee, args } = &expr.kind else { return None };
    let function = function(module, &callee.name).filter(|function| gives_tensor(function))?;
    Some((function, args))
}

/// Whether the assignment joins what it is given with what is there, or reaches a part of its target.
pub(crate) fn joins(assign: &Assign) -> bool {
    let labels: Vec<Ident> = assign.indices.iter().filter_map(Index::label).collect();
    let repeats =
        |(at, label): (usize, &Ident)| labels[..at].iter().any(|earlier| earlier.name == label.name);
    assign.op != AssignOp::Set || assign.mask.is_some() || labels.iter().enumerate().any(repeats)
}

fn gives_tensor(function: &Function) -> bool {
    matches!(function.result, Some(comet_syntax::ast::Param::Tensor(_)))
}

/// The function of that name.
pub(crate) fn function<'a>(module: &'a Module, name: &str) -> Option<&'a Function> {
    module.functions.iter().find(|function| function.name.name == name)
}

/// The element type that a call converts to, where no function of the file has that name.
pub(crate) fn conversion(module: &Module, callee: &Ident) -> Option<Element> {
    Element::named(&callee.name).filter(|_| function(module, &callee.name).is_none())
}

/// A number, with or without a minus.
pub(crate) fn literal(expr: &Expr) -> Option<TypedNumber> {
    match &expr.kind {
        ExprKind::Number(number) => Some(TypedNumber::written(*number)),
        ExprKind::Neg(inner) => literal(inner).map(TypedNumber::negated),
        _ => None,
    }
}

/// `complex(1, -2)`.
fn complex_literal(expr: &Expr) -> Option<TypedNumber> {
    match &expr.kind {
        ExprKind::Call { callee, args } if callee.name == "complex" => {
            let [re, im] = &args[..] else { return None };
            Some(TypedNumber::C128(literal(re)?.to_f64(), literal(im)?.to_f64()))
        }
        _ => None,
    }
}

/// The numbers of an array literal, row-major.
pub(crate) fn literal_values(expr: &Expr) -> Result<Vec<TypedNumber>> {
    match &expr.kind {
        ExprKind::Array(items) => Ok(items.iter().map(literal_values).collect::<Result<Vec<_>>>()?.concat()),
        _ => literal(expr)
            .or_else(|| complex_literal(expr))
            .map(|number| vec![number])
            .ok_or_else(|| OracleError::at(expr.span, "expected a number")),
    }
}

/// The extents that the nesting of an array literal shows.
pub(crate) fn literal_dims(expr: &Expr) -> Vec<usize> {
    match &expr.kind {
        ExprKind::Array(items) => {
            let below = items.first().map(literal_dims).unwrap_or_default();
            [vec![items.len()], below].concat()
        }
        _ => Vec::new(),
    }
}

/// The file that a read of `tensor` names.
pub(crate) fn file(inputs: &Inputs, tensor: &Ident, args: &[&Expr]) -> Result<PathBuf> {
    let key = match args.first().map(|arg| &arg.kind) {
        Some(ExprKind::Number(number)) => number.integer.unwrap_or_default().to_string(),
        Some(ExprKind::Str(path)) if !inputs.files.contains_key(&tensor.name) => {
            return Ok(inputs.folder.join(path));
        }
        _ => String::new(),
    };
    let path = inputs.files.get(&tensor.name).or_else(|| inputs.files.get(&key));
    path.cloned().ok_or_else(|| OracleError::at(tensor.span, format!("no file for input `{key}`")))
}
