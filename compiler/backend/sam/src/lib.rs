//! The dataflow back end: from loops to graphs of the Sparse Abstract Machine.

mod cases;
pub mod cin_to_sam;
pub mod device;
mod effect;
pub mod launch;
#[cfg(test)]
#[path = "../../../machine/sam/tests/notation/mod.rs"]
mod notation;
mod statement;
pub mod text;

use comet_ir::pass::{self, Pass};

pub const PASSES: &[&Pass] = &[&cin_to_sam::PASS];

pub use comet_sam::lower::Dialect;

/// What graphs do that no schedule says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Automatic {
    /// Factors of a product are multiplied first, in a graph of their own, where that is far less work.
    pub factorizes: bool,
    /// They look for coordinates in dense operands.
    pub locates: bool,
    /// They leave zeros out of results that are not dense.
    pub drops_zeros: bool,
    pub dialect: Dialect,
}

/// Returns the passes from the front end's module to graphs, `comet-sam`. Loops of whole statements, in the
/// order of their schedules, say their orders before graphs are made of them.
pub fn to_sam(automatic: Automatic) -> String {
    let Automatic { factorizes, locates, drops_zeros, dialect } = automatic;
    let zeros = if drops_zeros { "zeros=drop " } else { "" };
    let to_sam = format!("cin-to-sam{{{zeros}dialect={}}}", dialect.name());
    let passes = [
        Some("ta-resolve-sizes"),
        factorizes.then_some("ta-factorize"),
        Some("ta-compact{operands=all}"),
        Some("ta-to-cin{terms=whole}"),
        Some("cin-schedule{units=graphs}"),
        locates.then_some("cin-locate"),
        Some("cin-order"),
        Some(to_sam.as_str()),
    ];
    passes.into_iter().flatten().collect::<Vec<_>>().join(",")
}

/// Makes the passes and the named pipeline known to MLIR. To be called once a process; the pipeline also
/// needs `comet_passes::register_all`.
pub fn register_all() {
    for pass in PASSES {
        pass::register(pass);
    }
    pass::register_pipeline("comet-sam", "to dataflow graphs", &to_sam(Automatic::default()));
}
