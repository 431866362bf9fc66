//! The operations of the spatial dialect.

#[allow(clippy::all, reason = "it is generated")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/spatial.rs"));
}

pub use generated::*;
