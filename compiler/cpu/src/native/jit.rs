//! Code in memory.

use super::translate::PROGRAM;
use super::{NativeError, Unit};
use comet_runtime::symbols;
use inkwell::execution_engine::{ExecutionEngine, JitFunction};
use inkwell::module::Module;
use inkwell::support::search_for_address_of_symbol;
use inkwell::values::{BasicValue, FunctionValue};
use std::collections::HashMap;

/// A program in memory, ready to run.
pub struct Jit<'llvm> {
    program: JitFunction<'llvm, unsafe extern "C" fn()>,
    /// Owns the code.
    _engine: ExecutionEngine<'llvm>,
}

impl<'llvm> Unit<'llvm> {
    /// Generates code into memory. The functions' attributes carry the processor, which the engine itself
    /// does not ask for.
    pub fn into_jit(self) -> Result<Jit<'llvm>, NativeError> {
        let level = self.target.optimization().of_code_generator();
        let engine = self
            .module
            .create_jit_execution_engine(level)
            .map_err(|error| NativeError::Internal(format!("LLVM's JIT cannot be made: {error}")))?;
        resolve_calls(&self.module, &engine)?;
        // SAFETY: translation has checked that the program exists; it takes and gives nothing.
        let program = unsafe { engine.get_function(PROGRAM) }
            .map_err(|error| NativeError::Internal(format!("the JIT has lost `{PROGRAM}`: {error}")))?;
        Ok(Jit { program, _engine: engine })
    }
}

impl Jit<'_> {
    /// Runs the program. One that fails ends the process.
    pub fn run(&self) {
        // SAFETY: the code was generated from a program that the front end has accepted, and calls only the
        // runtime.
        unsafe { self.program.call() }
    }
}

/// Tells the engine where the functions are that the program calls: an executable does not export the
/// runtime's, and a function that is nowhere would be called at address 0.
fn resolve_calls(module: &Module<'_>, engine: &ExecutionEngine<'_>) -> Result<(), NativeError> {
    let runtime: HashMap<_, _> =
        symbols::table().into_iter().map(|symbol| (symbol.name, symbol.address.addr())).collect();
    let is_called = |function: &FunctionValue<'_>| {
        function.as_global_value().as_pointer_value().get_first_use().is_some()
    };
    let functions = module.get_functions().filter(|function| function.count_basic_blocks() == 0);
    for function in functions.filter(is_called) {
        let name = function.get_name().to_string_lossy();
        if name.starts_with("llvm.") {
            continue;
        }
        // The C library is a part of this process.
        let address = runtime.get(name.as_ref()).copied().or_else(|| search_for_address_of_symbol(&name));
        let missing = || NativeError::Internal(format!("neither the runtime nor the C library has `{name}`"));
        engine.add_global_mapping(&function, address.ok_or_else(missing)?);
    }
    Ok(())
}
