//! Passes on the ta dialect.

pub mod compact;
mod contraction;
pub mod distribute;
pub mod factorize;
mod operand;
pub mod reorder;
pub mod resolve_sizes;
pub mod to_cin;
pub mod ttgt;
