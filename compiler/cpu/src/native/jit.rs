//! Code in memory.

use super::translate::PROGRAM;
use super::{NativeError, Unit};
use comet_runtime::symbols;
use inkwell::execution_engine::{ExecutionEngine, JitFunction};
use inkwell::module::Module;
use std::collections::HashMap;

/// A program in memory, ready to run.
pub struct Jit<'llvm> {
    program: JitFunction<'llvm, unsafe extern "C" fn()>,
    /// Owns the code.
    _engine: ExecutionEngine<'llvm>,
}

impl<'llvm> Unit<'llvm> {
    /// Generates code into memory. The functions' attributes carry the processor, which the engine itself does not ask for.
    pub fn into_jit(self) -> Result<Jit<'llvm>, NativeError> {
        let level = self.target.optimization().of_code_generator();
        let engine = self
            .module
            .create_jit_execution_engine(level)
            .map_err(|error| NativeError::Internal(format!("LLVM's JIT cannot be made: {error}")))?;
        resolve_runtime(&self.module, &engine)?;
        // SAFETY: translation has checked that the program exists; it takes and gives nothing.
        let program = unsafe { engine.get_function(PROGRAM) }
            .map_err(|error| NativeError::Internal(format!("the JIT has lost `{PROGRAM}`: {error}")))?;
        Ok(Jit { program, _engine: engine })
    }
}

impl Jit<'_> {
    /// Runs the program. One that fails ends the process.
    pub fn run(&self) {
        // SAFETY: the code was generated from a program that the front end has accepted, and calls only the runtime.
        unsafe { self.program.call() }
    }
}

/// Tells the engine where the runtime's functions are: an executable does not export them.
fn resolve_runtime(module: &Module<'_>, engine: &ExecutionEngine<'_>) -> Result<(), NativeError> {
    let table: HashMap<_, _> =
        symbols::table().into_iter().map(|symbol| (symbol.name, symbol.address)).collect();
    for function in module.get_functions().filter(|function| function.count_basic_blocks() == 0) {
        let name = function.get_name().to_string_lossy();
        match table.get(name.as_ref()) {
            Some(address) => engine.add_global_mapping(&function, address.addr()),
            None if name.contains("comet_rt_") => {
                return Err(NativeError::Internal(format!("the runtime has no function `{name}`")));
            }
            // Intrinsics, and functions of the C library, which the process itself has.
            None => {}
        }
    }
    Ok(())
}
