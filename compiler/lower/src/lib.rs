//! From a checked program to the ta dialect: one operation or a few for each statement, nothing decided.
//!
//! Requires a program that semantic analysis has accepted. Leaves a module with one function, `main`, in which tensors are variables, labels are
//! values of type `!ta.range`, and every operation carries the range of source text that it comes from. What the compiler does not do yet is refused here
//! where it shows in the program's text, with its place.

mod assign;
mod expr;
mod function;
mod scalar;
mod size;

use comet_diag::{Diagnostic, Source};
use comet_ir::Builder;
use comet_ir::{Block, location};
use comet_sema::program::Program;
use melior::Context;
use melior::ir::Module;

/// The module of a program's `main`. `source` is the text that the program's spans refer to.
pub fn lower<'c>(context: &'c Context, program: &Program, source: &Source) -> Result<Module<'c>, Diagnostic> {
    let Some(main) = program.main() else {
        return Err(Diagnostic::error_without_place("the program has no function `main`")
            .hint("write `def main() { … }`"));
    };
    let location = location::of_span(context, source, main.span);
    let module = Module::new(location);
    let body = Block::from_ref(module.body());
    function::lower(Builder::at_end(context, body, location), main, source)?;
    Ok(module)
}
