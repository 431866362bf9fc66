//! Passes on the cin dialect.

mod clear;
pub mod scalar_promote;
pub mod vectorize;
pub mod workspace;
