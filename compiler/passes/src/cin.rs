//! Passes on the cin dialect.

mod clear;
pub mod scalar_promote;
pub mod schedule;
pub mod vectorize;
pub mod workspace;
