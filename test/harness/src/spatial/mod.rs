//! The texts of applications of parallel patterns for the paper's kernels: where they are, how long they are,
//! and what Scala's compiler says of them.

mod counts;
mod types;

use std::path::{Path, PathBuf};

pub use counts::{Counts, Paper, table};
pub use types::{check_types, scala_compiler};

/// The programs of a folder, by name.
///
/// # Errors
/// A folder that cannot be read.
pub fn kernels(folder: &Path) -> Result<Vec<PathBuf>, String> {
    Ok(crate::program::programs(folder)?.into_iter().map(|program| program.path).collect())
}

/// The file's name without its extension.
pub fn name(kernel: &Path) -> String {
    kernel.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
