//! What a function declares, wherever in its body that stands.

use std::collections::BTreeSet;

use comet_syntax::ast::{
    self, DimKind, Expr, ExprKind, Function, Number, Param, RangeKind, Stmt, StmtKind, TensorDecl,
};

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

/// The labels of a function.
pub(crate) fn declared_labels(function: &Function) -> BTreeSet<String> {
    let signature = function.params.iter().chain(&function.result).filter_map(|param| match param {
        Param::Tensor(decl) => Some(&decl.dims),
        Param::Scalar { .. } => None,
    });
    let of_signature = signature.flatten().filter_map(|dim| match &dim.kind {
        DimKind::Label(label) => Some(label.clone()),
        _ => None,
    });
    let stated = ast::statements(&function.body).into_iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Label { names, .. } => Some(names),
        _ => None,
    });
    of_signature.chain(stated.flatten().map(|name| name.name.clone())).collect()
}

/// The scalars of a function that no label has the name of.
pub(crate) fn coordinates(function: &Function) -> BTreeSet<String> {
    let passed = function.params.iter().chain(&function.result).filter_map(|param| match param {
        Param::Scalar { name, .. } => Some(name.name.clone()),
        Param::Tensor(_) => None,
    });
    let own = ast::statements(&function.body).into_iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Var { name, .. } | StmtKind::For { var: name, .. } => Some(name.name.clone()),
        _ => None,
    });
    let labels = declared_labels(function);
    passed.chain(own).filter(|name| !labels.contains(name)).collect()
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
