//! Names, ranks, labels, sizes, formats and signatures of a `.ta` program.
//!
//! [`check`] turns a syntax tree into a [`program::Program`], or into every independent error of the file.
//! The passes, each a file of its own, and the decisions where the language is silent are listed in
//! `README.md`.

mod access;
mod array;
mod assign;
mod builtin;
mod call;
mod call_match;
mod call_order;
mod declare;
mod effect;
mod element;
mod elementwise;
mod for_loop;
mod function;
mod initialize;
pub mod kernel;
mod literal;
mod mentions;
mod monoid;
mod names;
mod nesting;
mod notes;
mod own_operator;
mod part;
pub mod program;
mod reduce;
mod scalar_expr;
mod scalar_statement;
mod schedule;
mod scope;
mod signature;
mod sizes;
mod statement;
mod storage;
mod temporary;
mod tensor_expr;
mod walk;

use comet_diag::{Diagnostic, Source};
use comet_syntax::ast;

/// How deep a tree may be, and calls inside of calls.
pub use comet_syntax::MAX_DEPTH;

pub use crate::builtin::reductions;
pub use crate::mentions::{has_parts, read_by_assignment, uses_any};
pub use crate::notes::notes;
use crate::program::Program;
pub use crate::schedule::attach::attach_schedules;

/// Checks a whole file. `source` is the text that `module` was parsed from: file numbers keep their digits.
///
/// # Errors
/// Every independent error of the file, in the order of their places.
pub fn check(module: &ast::Module, source: &Source) -> Result<Program, Vec<Diagnostic>> {
    // Everything after this recurses on the tree, so nothing after it may see a tree that is too deep.
    let too_deep = nesting::check(module);
    if !too_deep.is_empty() {
        return Err(too_deep);
    }
    let mut diagnostics = Vec::new();
    let signatures = signature::collect(module, &mut diagnostics);
    let order = call_order::callees_first(module, &signatures, &mut diagnostics);
    let functions = function::check_all(module, source, &signatures, &order, &mut diagnostics);
    if diagnostics.is_empty() {
        return Ok(Program { functions });
    }
    diagnostics.sort_by_key(Diagnostic::span);
    Err(diagnostics)
}

/// The format of a workspace that a schedule introduces, with so many indices. [`check`] has seen it.
///
/// # Panics
/// Where it is no format of that rank.
pub fn workspace_format(name: &ast::Ident, spec: &ast::FormatSpec, rank: usize) -> program::Format {
    let owner = storage::Owner { name: &name.name, modes: name.span, rank };
    let storage = storage::resolve(owner, spec, &[], &mut Vec::new());
    storage.expect("the format has been checked").format
}
