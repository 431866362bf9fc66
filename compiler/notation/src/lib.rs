//! Index notation: what expressions, reductions and their operators are, before any of them is stored or run.
//!
//! Plain data that depends on nothing but formats, so that every crate from the syntax tree to the simulators
//! shares it.

mod arithmetic;
mod complex;
pub mod concrete;
pub mod fortran;
mod function;
pub mod lattice;
mod operator;
mod own;
pub mod relations;

pub use arithmetic::{Arithmetic, ComputedNumber};
pub use complex::Complex;
pub use function::{ComplexResult, Function};
pub use operator::{Constant, Operator, Patterns};
pub use own::{Definition, OwnOperator, Properties, Step};

/// Returns a name itself, or followed by the first number from 2 on with which it is not taken.
pub fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).expect("there is always a next number")
}

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
