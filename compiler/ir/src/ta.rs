//! The operations of the ta dialect.

#[allow(missing_docs, clippy::all, reason = "it is generated")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/ta.rs"));
}

pub use generated::*;
