//! Counts in the sources of comet what its code review counted, and holds the counts against limits.
//!
//! [`read`] walks a repository and returns its files; [`COUNTS`] is the table of all counts; [`measure`]
//! returns a [`Measurement`] of each. [`Limits`] are the values that some counts must not exceed.

mod count;
mod file;
mod find;
mod limits;
mod table;
mod tree;

pub use count::{Count, Measurement, Occurrence, measure};
pub use limits::Limits;
pub use table::COUNTS;
pub use tree::{SourceTree, read};
