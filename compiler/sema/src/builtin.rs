//! The functions of the language. Their names are contextual: a function of the file by the same name hides
//! them.

use comet_syntax::ast::{Expr, ExprKind, Ident, Operator};

use crate::elementwise::Elementwise;
use crate::signature::Signatures;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    Read,
    Random,
    Write,
    /// The reduction of a tensor expression by an operator, over all of its labels.
    Reduction(Operator),
    Time,
    Print,
    PrintElapsed,
    Elementwise(Elementwise),
}

const BUILTINS: &[(&str, Builtin)] = &[
    ("comet_read", Builtin::Read),
    ("space_read", Builtin::Read),
    ("random", Builtin::Random),
    ("comet_write", Builtin::Write),
    ("SUM", Builtin::Reduction(Operator::Add)),
    ("MAX", Builtin::Reduction(Operator::Max)),
    ("MIN", Builtin::Reduction(Operator::Min)),
    ("getTime", Builtin::Time),
    ("print", Builtin::Print),
    ("printElapsedTime", Builtin::PrintElapsed),
];

/// What the name of a call leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callee {
    /// A function of the file, by its index.
    Function(usize),
    Builtin(Builtin),
}

/// Looks a name up; a function of the file comes first.
pub(crate) fn resolve(name: &Ident, signatures: &Signatures) -> Option<Callee> {
    let function = signatures.index(&name.name).map(Callee::Function);
    function.or_else(|| {
        let found = BUILTINS.iter().find(|(word, _)| *word == name.name).map(|(_, builtin)| *builtin);
        let elementwise = || Elementwise::named(&name.name).map(Builtin::Elementwise);
        found.or_else(elementwise).map(Callee::Builtin)
    })
}

/// The function that an expression calls, where it is a call and the name leads somewhere.
pub(crate) fn called(expr: &Expr, signatures: &Signatures) -> Option<Callee> {
    match &expr.kind {
        ExprKind::Call { callee, .. } => resolve(callee, signatures),
        _ => None,
    }
}

/// Returns the names of the functions that reduce a tensor expression: `SUM` and the like.
pub fn reductions() -> impl Iterator<Item = &'static str> {
    let is_reduction = |builtin: &Builtin| matches!(builtin, Builtin::Reduction(_));
    BUILTINS.iter().filter(move |(_, builtin)| is_reduction(builtin)).map(|(name, _)| *name)
}

/// The names, for "did you mean".
pub(crate) fn names<'a>() -> impl Iterator<Item = &'a str> {
    let own = BUILTINS.iter().map(|(name, _)| -> &'a str { name });
    own.chain(Elementwise::names())
}
