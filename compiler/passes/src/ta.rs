//! Passes on the ta dialect.

mod access;
pub mod compact;
mod contraction;
pub mod factorize;
pub mod reorder;
pub mod resolve_sizes;
pub mod to_cin;
pub mod ttgt;
