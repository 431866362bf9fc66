//! The back end of parallel patterns: from loops to Spatial applications (stardust.txt).

pub mod cin_to_spatial;
pub mod device;
pub mod pieces;
mod statement;

use comet_ir::pass::{self, Pass};

pub const PASSES: &[&Pass] = &[&cin_to_spatial::PASS];

/// The passes from what the front end makes to applications, `comet-spatial`. Loops are those of whole
/// statements, in the order of their schedules; these also say what accelerators do.
pub fn to_spatial() -> String {
    let passes = [
        "ta-resolve-sizes",
        "ta-compact{operands=all}",
        "ta-to-cin{terms=whole}",
        "cin-schedule{units=spatial}",
        "cin-scalar-promote",
        "cin-order",
        "cin-to-spatial",
    ];
    passes.join(",")
}

/// Makes the passes and the named pipeline known to MLIR. To be called once a process; the pipeline also
/// needs `comet_passes::register_all`.
pub fn register_all() {
    for pass in PASSES {
        pass::register(pass);
    }
    pass::register_pipeline("comet-spatial", "to Spatial applications", &to_spatial());
}
