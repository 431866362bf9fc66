//! The operations of the spatial dialect.

#[allow(missing_docs, clippy::all, reason = "it is generated")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/spatial.rs"));
}

pub use generated::*;
