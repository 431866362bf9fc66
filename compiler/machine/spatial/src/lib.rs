//! Spatial applications of a reconfigurable dataflow architecture (stardust.txt): as data, as text, on an
//! interpreter. Plain Rust.

pub mod app;
pub mod capstan;
pub mod interpret;
pub mod lower;
pub mod names;
pub mod read;
pub mod rules;
pub mod storage;
mod text;
pub mod write;
