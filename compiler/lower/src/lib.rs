//! From a checked program to the ta dialect: one operation or a few for each statement, nothing decided.
//!
//! Requires a program that semantic analysis has accepted. Leaves a module with one function, `main`, or
//! with one for each kernel of a library, in which tensors are variables, labels are values of type
//! `!ta.range`, and every operation carries the range of source text that it comes from. What the compiler
//! does not do yet is refused here where it shows in the program's text, with its place.

mod assign;
mod call;
mod control;
mod expr;
mod function;
mod jumps;
mod overwritten;
mod own_operator;
mod part;
mod print;
mod scalar;
mod size;

use comet_diag::{Diagnostic, Source};
use comet_ir::Builder;
use comet_ir::{Block, location};
use comet_sema::kernel;
use comet_sema::program::Program;
use melior::Context;
use melior::ir::Module;

/// The module of a program's `main`. `source` is the text that the program's spans refer to.
pub fn lower<'c>(context: &'c Context, program: &Program, source: &Source) -> Result<Module<'c>, Diagnostic> {
    let program = &jumps::without(program);
    let main = program.main().ok_or_else(|| without_main(program))?;
    let location = location::of_span(context, source, main.span);
    let module = Module::new(location);
    let body = Block::from_ref(module.body());
    function::lower(Builder::at_end(context, body, location), program, main, source)?;
    Ok(module)
}

/// The module of the functions that become kernels of a library, each `kernel.NAME`. It takes the extents
/// of [`kernel::is_argument`], then its numbers, and returns its result where that is a number; tensors are
/// those that the run time has for the call.
pub fn lower_kernels<'c>(
    context: &'c Context,
    program: &Program,
    source: &Source,
) -> Result<Module<'c>, Diagnostic> {
    let program = &jumps::without(program);
    let first = kernel::functions(program).next().ok_or_else(without_functions)?;
    let module = Module::new(location::of_span(context, source, first.span));
    let body = Block::from_ref(module.body());
    for function in kernel::functions(program) {
        let location = location::of_span(context, source, function.span);
        function::lower_kernel(Builder::at_end(context, body, location), program, function, source)?;
    }
    Ok(module)
}

fn without_main(program: &Program) -> Diagnostic {
    match program.functions.first() {
        Some(kernel) => Diagnostic::error(kernel.span, "the file has no `main`, which is the program")
            .label("this is a kernel, to be called")
            .hint("write `def main() { … }`, or build a library: `--emit=header,shared-lib`"),
        None => without_functions().hint("write `def main() { … }`, which is the program"),
    }
}

fn without_functions() -> Diagnostic {
    Diagnostic::error(comet_diag::Span::default(), "the file has no function")
}
