//! The passes on ta and cin, and what back ends share in reading them.

pub mod assembly;
pub mod cin;
pub mod concrete;
pub mod copies;
pub mod drain;
pub mod exponent;
pub mod nest;
pub mod order;
pub mod patterns;
pub mod schedule;
pub mod simulated;
pub mod sums;
pub mod ta;

use comet_ir::pass::{self, Pass};

/// Every pass on ta and cin, in the order in which the pipelines run them.
pub const PASSES: &[&Pass] = &[
    // ta
    &ta::resolve_sizes::PASS,
    &ta::reorder::PASS,
    &ta::distribute::PASS,
    &ta::factorize::PASS,
    &ta::ttgt::PASS,
    &ta::compact::PASS,
    &ta::to_cin::PASS,
    // cin
    &cin::schedule::PASS,
    &cin::order::PASS,
    &cin::workspace::PASS,
    &cin::vectorize::PASS,
    &cin::scalar_promote::PASS,
    &cin::vectorize_sums::PASS,
    &cin::in_place::PASS,
    &cin::share_loops::PASS,
    &cin::parallelize::PASS,
    &cin::locate::PASS,
];

/// Makes the passes known to MLIR. To be called once a process.
pub fn register_all() {
    for pass in PASSES {
        pass::register(pass);
    }
}
