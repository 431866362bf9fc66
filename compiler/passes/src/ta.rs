//! Passes on the ta dialect.

pub mod factorize;
pub mod resolve_sizes;
pub mod to_cin;
