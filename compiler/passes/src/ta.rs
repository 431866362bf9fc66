//! Passes on the ta dialect.

pub mod resolve_sizes;
pub mod to_cin;
