//! Running a pipeline on a module.

use crate::context;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use mlir_sys::mlirPassManagerEnableTiming;
use std::fmt;

#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub verify: bool,
    /// Report to standard error how long each pass takes.
    pub timing: bool,
}

/// Why a pipeline did not come to its end.
#[derive(Debug)]
pub enum Error {
    /// Its text names what does not exist.
    Text(String),
    /// A pass failed; diagnostics say why.
    Pass,
}

/// Runs a textual pipeline of module passes. Failures of passes are diagnostics of the module's
/// context.
pub fn run(module: &mut Module<'_>, text: &str, settings: Settings) -> Result<(), Error> {
    let manager = PassManager::new(context::of_ref(module.context()));
    manager.enable_verifier(settings.verify);
    if settings.timing {
        // SAFETY: the manager lives.
        unsafe { mlirPassManagerEnableTiming(manager.to_raw()) }
    }
    let text = format!("builtin.module({text})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &text)
        .map_err(|error| Error::Text(error.to_string()))?;
    manager.run(module).map_err(|_| Error::Pass)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(reason) => write!(f, "the pipeline cannot be read: {reason}"),
            Self::Pass => f.write_str("a pass failed without saying why"),
        }
    }
}

impl std::error::Error for Error {}
