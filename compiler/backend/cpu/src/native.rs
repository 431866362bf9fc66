//! From the LLVM dialect to machine code.
//!
//! [`Unit::translate`] turns a module in the LLVM dialect into LLVM IR for a [`Target`], [`Unit::optimize`]
//! runs LLVM's own pipeline on it, and the optimized unit is written as text, assembly or an object,
//! [linked](link()) to an executable or a library, or [compiled in memory](Unit::into_jit). Code is generated
//! exactly once on each of these ways.

mod dispatch;
mod entry;
mod fatal;
mod gathers;
mod halves;
mod jit;
mod kernels;
mod lines;
mod link;
mod outline;
mod platform;
mod processes;
mod standard_output;
mod target;
mod translate;
mod variants;

pub use entry::Processes;
pub use fatal::on_fatal_error;
pub use inkwell::context::Context as LlvmContext;
pub use inkwell::targets::FileType as CodeKind;
pub use jit::{Jit, KernelCode};
pub use kernels::{CSymbols, KernelSymbols, is_in_c_library};
pub use lines::add_lines;
pub use link::{LinkCommand, LinkOptions, Product, link, link_process_functions, mpi_compiler};
pub use platform::Platform;
pub use processes::{end_with_parent, load_process_functions};
pub use standard_output::was_closed;
pub use target::{Target, VectorRegisters, llvm_version};

use inkwell::OptimizationLevel;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use std::path::PathBuf;
use thiserror::Error;

/// How much the optimizer does: `-O0` to `-O3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Optimization {
    O0,
    O1,
    O2,
    #[default]
    O3,
}

impl Optimization {
    fn pipeline(self) -> &'static str {
        match self {
            Self::O0 => "default<O0>",
            Self::O1 => "default<O1>",
            Self::O2 => "default<O2>",
            Self::O3 => "default<O3>",
        }
    }

    fn of_code_generator(self) -> OptimizationLevel {
        match self {
            Self::O0 => OptimizationLevel::None,
            Self::O1 => OptimizationLevel::Less,
            Self::O2 => OptimizationLevel::Default,
            Self::O3 => OptimizationLevel::Aggressive,
        }
    }
}

/// What debuggers and profilers find out about where code comes from.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum DebugInfo {
    #[default]
    None,
    /// The line of each instruction. Names of source files count from the folder.
    Lines { folder: PathBuf },
}

/// A failure on the way to machine code.
#[derive(Debug, Error)]
pub enum NativeError {
    /// What the user asked for cannot be had: an unknown processor, a linker that fails.
    #[error("{message}")]
    User { message: String, hint: Option<String> },
    /// LLVM refuses what we gave it.
    #[error("{0}")]
    Internal(String),
}

impl NativeError {
    fn user(message: impl Into<String>) -> Self {
        Self::User { message: message.into(), hint: None }
    }

    fn hint(self, text: impl Into<String>) -> Self {
        match self {
            Self::User { message, .. } => Self::User { message, hint: Some(text.into()) },
            internal @ Self::Internal(_) => internal,
        }
    }
}

/// A program as LLVM IR for one target.
pub struct Unit<'llvm> {
    module: Module<'llvm>,
    target: Target,
}

impl Unit<'_> {
    /// Runs LLVM's pipeline of the target's optimization level.
    ///
    /// Vectors wider than a register are cut to registers first, in the order of memory: the code generator
    /// would cut them too, and load their parts in an order of its own, which the hardware's prefetcher does
    /// not follow (SpMM with 32 columns of ship_001, Zen 3: 1.05 times as long).
    pub fn optimize(&self) -> Result<(), NativeError> {
        if self.target.optimization() != Optimization::O0 {
            outline::outline_loops(&self.module, &self.target)?;
        }
        let options = PassBuilderOptions::create();
        options.set_verify_each(false);
        // What clang sets at -O2 and above; LLVM's own default leaves interleaving and the SLP vectorizer
        // to the front end.
        options.set_loop_interleaving(true);
        options.set_loop_vectorization(true);
        options.set_loop_slp_vectorization(true);
        options.set_loop_unrolling(true);
        let pipeline = format!(
            "function(scalarizer<load-store;min-bits={}>),{}",
            self.target.register_bits(),
            self.target.optimization().pipeline()
        );
        self.module
            .run_passes(&pipeline, self.target.machine(), options)
            .map_err(|error| NativeError::Internal(format!("LLVM's `{pipeline}` failed: {error}")))
    }

    pub fn ir_text(&self) -> String {
        self.module.print_to_string().to_string()
    }

    pub fn code(&self, kind: CodeKind) -> Result<Vec<u8>, NativeError> {
        let buffer = self.target.machine().write_to_memory_buffer(&self.module, kind);
        let buffer = buffer
            .map_err(|error| NativeError::Internal(format!("LLVM's code generator failed: {error}")))?;
        // A memory buffer ends in a zero byte that is not part of its content, and inkwell's slice may hold
        // it.
        Ok(buffer.as_slice()[..buffer.get_size()].to_vec())
    }
}
