//! A dense evaluator of the `.ta` language that shares only the syntax tree with the compiler.
//!
//! It is what every other way of running a program is compared with, so it is written to be obviously right
//! and not to be fast: a tensor is an array with a cell for every position, stored or not, and an expression
//! is evaluated at every position of its labels. Names, sizes, files, patterns, storage and printing are its
//! own.
//!
//! ```
//! let text = "def main() { IndexLabel [i] = [2]; Tensor<double> a([i], Dense); a[i] = 1.5; var s = SUM(a[i]); print(s); }";
//! let module = comet_syntax::parse(&comet_diag::Source::new("sum.ta", text)).unwrap();
//! let outcome = comet_oracle::run(&module, &comet_oracle::Inputs::default()).unwrap();
//! assert_eq!(outcome.text, "3\n");
//! ```

mod action;
mod assign;
mod bind;
mod call;
mod compare;
mod complex;
mod constraints;
mod declarations;
mod error;
mod eval;
mod files;
mod frame;
mod function;
mod interpret;
mod layout;
mod number;
mod own;
mod pack;
mod part;
mod print;
mod random;
mod resolve;
mod scalar;
mod sizes;
mod tensor;
mod term;
mod write;

use std::collections::BTreeMap;
use std::path::PathBuf;

use comet_syntax::ast::Module;

pub use compare::{Mismatch, Tolerance, compare};
pub use error::OracleError;
pub use files::TnsForm;
pub use layout::{Layout, LevelIndex, StorageLevel};
pub use number::TypedNumber;
pub use print::{Digits, PrintForm, Printed, StoredArray};
pub use tensor::DenseTensor;

/// The files of a program.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// By the number in `comet_read(k)`, by the empty word for `comet_read()`, or by a tensor's name, which
    /// wins.
    pub files: BTreeMap<String, PathBuf>,
    /// The folder that relative paths in the program begin at.
    pub folder: PathBuf,
    /// How `.tns` files are read.
    pub tns: TnsForm,
}

/// What running a program gave.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Every print, in order.
    pub printed: Vec<Printed>,
    /// What it prints with `--print=exact`.
    pub text: String,
    /// The tensors of `main` at its end.
    pub tensors: BTreeMap<String, DenseTensor>,
}

impl Evaluation {
    /// Everything printed.
    pub fn text(&self, digits: Digits) -> String {
        self.printed.iter().map(|printed| printed.text(digits)).collect()
    }
}

/// Runs `main`.
///
/// # Errors
/// Programs and data without a meaning, as far as they are noticed: this is an evaluator and no checker.
pub fn run(module: &Module, inputs: &Inputs) -> Result<Evaluation, OracleError> {
    let (printed, tensors) = interpret::run_main(module, inputs)?;
    let text = printed.iter().map(|printed| printed.text(Digits::Exact)).collect();
    Ok(Evaluation { printed, text, tensors })
}
