//! Runs an application on arrays, and counts.
//!
//! First its names are resolved (`resolve`), which finds what is wrong whatever the data is; then a machine
//! executes it, one iteration after the other (`machine`), and finds what is wrong with this data. What
//! hardware does not do is a fault with its place in the text; the README has the rules.

mod column;
mod machine;
mod outcome;
mod program;
mod report;
mod resolve;
mod scalar;

pub use column::Column;
pub use outcome::{
    ArgumentReport, BitVectorCounts, BitVectorReport, FifoReport, MemoryReport, Outcome, PatternCounts,
    PatternReport, SramReport, Traffic, TransferCounts, TransferReport,
};
pub use report::real;

use crate::app::App;
use crate::rules;
use comet_diag::Diagnostic;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The files that the host loads, by their names in the text.
    pub files: BTreeMap<String, Column>,
    /// The arguments of the command line, `args(0)` and so on; without any, those that the text has.
    pub arguments: Vec<String>,
    /// Parameters of the class that get another value than in the text.
    pub parameters: BTreeMap<String, i64>,
}

/// Finds what is wrong with an application whatever the data is.
///
/// # Errors
/// It breaks a rule of the language.
pub fn check(app: &App, inputs: &Inputs) -> Result<(), Diagnostic> {
    resolve::resolve(app, inputs).map(|_| ()).map_err(|fault| *fault)
}

/// An application that follows the rules, with all names resolved, to be run on any files.
pub struct Resolved {
    program: program::ExecutableProgram,
}

impl Resolved {
    /// Resolves an application for the arguments and parameters of its inputs.
    ///
    /// # Errors
    /// It breaks a rule of the language.
    pub fn new(app: &App, inputs: &Inputs) -> Result<Self, Diagnostic> {
        let program = resolve::resolve(app, inputs).map_err(|fault| *fault)?;
        match rules::check(app, &inputs.parameters).into_iter().next() {
            Some(broken) => Err(broken),
            None => Ok(Self { program }),
        }
    }

    /// Runs it on files.
    ///
    /// # Errors
    /// It does with these files what hardware does not do.
    pub fn run(&self, inputs: &Inputs) -> Result<Outcome, Diagnostic> {
        machine::run(&self.program, inputs).map_err(|fault| *fault)
    }
}

/// Runs an application.
///
/// # Errors
/// It breaks a rule of the language, or does with these inputs what hardware does not do.
pub fn run(app: &App, inputs: &Inputs) -> Result<Outcome, Diagnostic> {
    Resolved::new(app, inputs)?.run(inputs)
}
