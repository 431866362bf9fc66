//! From a checked program to the ta dialect: one operation or a few for each statement, nothing decided.
//!
//! Requires a program that semantic analysis has accepted. Leaves a module with one function, `main`, in
//! which tensors are variables, labels are values of type `!ta.range`, and every operation carries the
//! range of source text that it comes from. What the compiler does not do yet is refused here where it
//! shows in the program's text, with its place.

mod assign;
mod call;
mod control;
mod expr;
mod function;
mod returns;
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
    let program = &returns::without(program);
    let main = program.main().ok_or_else(|| without_main(program))?;
    let location = location::of_span(context, source, main.span);
    let module = Module::new(location);
    let body = Block::from_ref(module.body());
    function::lower(Builder::at_end(context, body, location), program, main, source)?;
    Ok(module)
}

fn without_main(program: &Program) -> Diagnostic {
    let hint = "write `def main() { … }`, which is the program";
    match program.functions.first() {
        Some(kernel) => {
            Diagnostic::not_supported(kernel.span, "kernels without a `main`, to be built into a library")
                .hint(hint)
        }
        None => Diagnostic::error_without_place("the file has no function, expected `main`").hint(hint),
    }
}
