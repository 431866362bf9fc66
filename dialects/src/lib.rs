//! The MLIR dialects of comet: typed operations, attributes and types, and their registration.

pub mod ffi;
pub mod opt;
pub mod registration;
pub mod target;
mod typed;

#[allow(missing_docs, clippy::all, unused)]
mod generated {
    melior::dialect! {
        name: "ta",
        files: ["TaOps.td"],
        include_directory_env_vars: ["COMET_TA_TD"],
    }
    melior::dialect! {
        name: "cin",
        files: ["CinOps.td"],
        include_directory_env_vars: ["COMET_CIN_TD"],
    }
    melior::dialect! {
        name: "sam",
        files: ["SamOps.td"],
        include_directory_env_vars: ["COMET_SAM_TD"],
    }
    melior::dialect! {
        name: "spatial",
        files: ["SpatialOps.td"],
        include_directory_env_vars: ["COMET_SPATIAL_TD"],
    }
}

pub use generated::{cin, sam, spatial, ta};
pub use typed::TypedOp;
