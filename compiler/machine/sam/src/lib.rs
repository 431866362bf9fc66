//! The Sparse Abstract Machine (Hsu et al., ASPLOS 2023; `sam.txt`): dataflow graphs, the files that they and
//! their tensors are kept in, and a simulator that runs them token by token. No MLIR.

pub mod arithmetic;
pub mod comal;
pub mod dot;
pub mod graph;
pub mod json;
pub mod lower;
pub mod machine;
mod named;
pub mod picture;
pub mod simulate;
pub mod storage;
