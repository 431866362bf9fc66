//! The passes on ta and cin, and what back ends share in reading them.

pub mod assembly;
pub mod cin;
pub mod concrete;
pub mod copies;
pub mod drain;
pub mod exponent;
pub mod nest;
pub mod operator;
pub mod order;
pub mod schedule;
pub mod sums;
pub mod ta;

use comet_ir::pass::{self, Pass};

pub const PASSES: &[&Pass] = &[
    // ta
    &ta::compact::PASS,
    &ta::factorize::PASS,
    &ta::reorder::PASS,
    &ta::resolve_sizes::PASS,
    &ta::to_cin::PASS,
    &ta::ttgt::PASS,
    // cin
    &cin::locate::PASS,
    &cin::order::PASS,
    &cin::parallelize::PASS,
    &cin::schedule::PASS,
    &cin::scalar_promote::PASS,
    &cin::vectorize::PASS,
    &cin::vectorize_sums::PASS,
    &cin::workspace::PASS,
];

/// Makes the passes known to MLIR. To be called once a process.
pub fn register_all() {
    for pass in PASSES {
        pass::register(pass);
    }
}
