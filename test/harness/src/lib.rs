//! Runs `.ta` programs through the `comet` program in every way it has, and compares what they print with the
//! oracle: those of `test/run` ([`program`]), also on several [`processes`], and random ones ([`random`]);
//! compares kernels on [`real`] data with plain loops, and expressions in [`taco`]'s notation with the
//! oracle. Runs the examples of the documentation through `comet-opt` ([`documentation`]), and the program on
//! spoilt inputs of all kinds ([`mutations`]). `test/README.md` says how they are used.

pub mod compiler;
pub mod directives;
pub mod documentation;
pub mod links;
pub mod mutations;
pub mod oracle;
pub mod processes;
pub mod program;
pub mod random;
pub mod real;
pub mod spatial;
pub mod taco;

use std::path::PathBuf;

/// The folder `test`, which all paths in programs and directives are relative to.
pub fn test_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Whether everything is tested that there is, `COMET_LONG=1`, or a part of the long lists.
pub fn is_long() -> bool {
    std::env::var_os("COMET_LONG").is_some_and(|value| value == "1")
}
