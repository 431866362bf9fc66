//! Index notation: what expressions, reductions and their operators are, before any of them is stored or run.
//!
//! Plain data without dependencies, so that every crate from the syntax tree to the simulators shares it.

mod arithmetic;
mod operator;

pub use arithmetic::Arithmetic;
pub use operator::{Constant, Operator, Patterns};
