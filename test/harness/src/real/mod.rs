//! Kernels on real matrices and tensors, compared with loops over the entries of the files.
//!
//! Nothing here knows the compiler or its run time: files are read, sums are taken and results are
//! compared by code of its own.

pub mod cases;
pub mod entries;
pub mod kernel;
pub mod reference;

use std::path::PathBuf;

/// The folder of the data: `COMET_SHARED`, or `shared/data` next to the repository; `None` where it is
/// absent.
pub fn folder() -> Option<PathBuf> {
    let beside = || crate::test_folder().join("../../shared/data");
    let folder = std::env::var_os("COMET_SHARED").map_or_else(beside, PathBuf::from);
    folder.canonicalize().ok()
}
