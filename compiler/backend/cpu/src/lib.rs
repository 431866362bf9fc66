//! From loops to native code: the CPU back end.

mod arrays;
pub mod cin_to_scf;
pub mod expand_functions;
mod functions;
pub mod hoist_loads;
pub mod hoist_variables;
pub mod instrument;
pub mod jam_rows;
pub mod native;
pub mod pipelines;
pub mod stream_stores;
pub mod strict_floats;
pub mod ta_to_runtime;

pub use functions::Products;

use comet_ir::pass::{self, Pass};

/// The passes of this back end, in the order in which the pipelines run them.
pub const PASSES: &[&Pass] = &[
    &cin_to_scf::PASS,
    &hoist_loads::PASS,
    &jam_rows::PASS,
    &stream_stores::PASS,
    &ta_to_runtime::PASS,
    &expand_functions::PASS,
    &strict_floats::PASS,
    &hoist_variables::PASS,
];

/// Makes the passes and the named pipelines known to MLIR. To be called once a process; the pipelines also
/// need `comet_passes::register_all` and the upstream passes.
pub fn register_all() {
    for pass in PASSES {
        pass::register(pass);
    }
    for pipeline in pipelines::PIPELINES {
        pass::register_pipeline(pipeline.name, pipeline.description, &pipeline.text());
    }
}
