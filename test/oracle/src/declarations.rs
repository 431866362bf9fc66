//! What a function declares, wherever in its body that stands.

use comet_syntax::ast::{Expr, ExprKind, Function, Number, Param, RangeKind, Stmt, StmtKind, TensorDecl};

/// The tensors a function declares, parameters and result included.
pub(crate) fn declarations(function: &Function) -> Vec<&TensorDecl> {
    let params = function.params.iter().chain(&function.result).filter_map(|param| match param {
        Param::Tensor(decl) => Some(decl),
        Param::Scalar { .. } => None,
    });
    let mut found = params.collect::<Vec<_>>();
    declarations_in(&function.body, &mut found);
    found
}

fn declarations_in<'a>(body: &'a [Stmt], found: &mut Vec<&'a TensorDecl>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Tensor(decl) => found.push(decl),
            _ => stmt.blocks().into_iter().for_each(|body| declarations_in(body, found)),
        }
    }
}

/// The tensor that an argument passes: `A`, or `A[i,j]`, whose labels mean nothing.
pub(crate) fn passed_tensor(arg: &Expr) -> Option<&str> {
    match &arg.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Access { tensor, .. } => Some(&tensor.name),
        _ => None,
    }
}

/// ⌈(hi−lo)/step⌉.
pub(crate) fn range_size(range: &RangeKind) -> Option<usize> {
    match range {
        RangeKind::Open => None,
        RangeKind::Size(size) => Some(size.value as usize),
        RangeKind::Bounds { lo, hi, step } => {
            let step = step.map_or(1.0, |step: Number| step.value);
            hi.map(|hi| ((hi.value - lo.value) / step).ceil().max(0.0) as usize)
        }
    }
}
