//! Index notation: what expressions, reductions and their operators are, before any of them is stored or run.
//!
//! Plain data that depends on nothing but formats, so that every crate from the syntax tree to the simulators
//! shares it.

#![allow(missing_docs, reason = "a comment that repeats the name of a field or method is left out")]

mod arithmetic;
pub mod concrete;
pub mod lattice;
mod operator;
pub mod relations;

pub use arithmetic::Arithmetic;
pub use operator::{Constant, Operator, Patterns};

/// Returns some items in their order, each once.
pub fn distinct<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}
