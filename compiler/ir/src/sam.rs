//! The operations of the sam dialect.

#[allow(clippy::all, reason = "it is generated")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/sam.rs"));
}

pub use generated::*;
