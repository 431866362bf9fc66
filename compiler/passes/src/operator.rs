//! The operators and reductions of cin.

pub use comet_ir::cin::{Operator, Reduction};
