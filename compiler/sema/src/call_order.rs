//! The order in which functions are checked: callees first, for a call needs to know which of its arguments'
//! extents are equal. Recursion has no such order, and is refused.

use std::collections::HashSet;

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{self, BinaryOp, Expr, ExprKind, Function, Module, OperatorName};

use crate::signature::Signatures;
use crate::walk;

/// The functions of a file, by their places in it.
pub(crate) struct CallOrder {
    /// Every function once.
    pub(crate) order: Vec<usize>,
    /// Those whose calls lead back to them.
    pub(crate) recursive: HashSet<usize>,
}

/// Looks at which function calls which, and reports recursion.
pub(crate) fn callees_first(
    module: &Module,
    signatures: &Signatures,
    diagnostics: &mut Vec<Diagnostic>,
) -> CallOrder {
    let calls: Vec<Vec<CallSite>> =
        module.functions.iter().map(|function| calls(function, signatures)).collect();
    let reaches: Vec<HashSet<usize>> = (0..calls.len()).map(|from| reachable(from, &calls)).collect();
    for (caller, calls) in calls.iter().enumerate() {
        let leads_back = |call: &&CallSite| call.callee == caller || reaches[call.callee].contains(&caller);
        for call in calls.iter().filter(leads_back) {
            diagnostics.push(recursion(module, caller, call));
        }
    }
    // A callee reaches fewer functions than its caller does, unless the two are in a cycle.
    let mut order: Vec<usize> = (0..calls.len()).collect();
    order.sort_by_key(|&function| reaches[function].len());
    let recursive = (0..calls.len()).filter(|function| reaches[*function].contains(function)).collect();
    CallOrder { order, recursive }
}

struct CallSite {
    callee: usize,
    span: Span,
}

/// Calls of `main` are left out: each is an error of its own.
fn calls(function: &Function, signatures: &Signatures) -> Vec<CallSite> {
    let statements = ast::statements(&function.body);
    let roots = statements.into_iter().flat_map(walk::expressions);
    let expressions: Vec<&Expr> = roots.flat_map(walk::all_expressions).collect();
    let operators = expressions.iter().flat_map(|expr| operators(expr, signatures));
    expressions
        .iter()
        .filter_map(|expr| {
            let ExprKind::Call { callee, .. } = &expr.kind else { return None };
            if callee.name == "main" {
                return None;
            }
            signatures.index(&callee.name).map(|index| CallSite { callee: index, span: callee.span })
        })
        .chain(operators)
        .collect()
}

/// The functions that an expression has as operators.
fn operators(expr: &Expr, signatures: &Signatures) -> Vec<CallSite> {
    let ExprKind::Binary { op, op_span, .. } = &expr.kind else { return Vec::new() };
    let names = match op {
        BinaryOp::Monoid(operator) => vec![*operator],
        BinaryOp::Semiring(reduce, combine) => vec![*reduce, *combine],
        _ => Vec::new(),
    };
    let functions = names.into_iter().filter_map(OperatorName::function).filter(|name| *name != "main");
    let called = functions.filter_map(|name| signatures.index(name));
    called.map(|callee| CallSite { callee, span: *op_span }).collect()
}

fn reachable(from: usize, calls: &[Vec<CallSite>]) -> HashSet<usize> {
    let mut reached = HashSet::new();
    let mut pending = vec![from];
    while let Some(caller) = pending.pop() {
        let callees = calls[caller].iter().map(|call| call.callee);
        pending.extend(callees.filter(|&callee| reached.insert(callee)));
    }
    reached
}

fn recursion(module: &Module, caller: usize, call: &CallSite) -> Diagnostic {
    let (caller, callee) = (&module.functions[caller].name, &module.functions[call.callee].name);
    let what = if caller.name == callee.name {
        format!("`{}` calls itself", caller.name)
    } else {
        format!("`{}` calls `{}`, which leads back to `{}`", caller.name, callee.name, caller.name)
    };
    Diagnostic::not_supported(call.span, format!("recursion: {what}"))
        .also(callee.span, format!("`{}` is defined here", callee.name))
        .hint("write a loop instead: `for` or `while`")
}
