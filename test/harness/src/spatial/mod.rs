//! The texts of applications of parallel patterns for the paper's kernels: where they are, how long they are,
//! and what Scala's compiler says of them; the data that they are run on.

mod counts;
pub mod data;
mod types;

pub use counts::{Counts, Paper, table};
pub use types::{check_types, scala_compiler};
