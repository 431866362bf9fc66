//! The back end of parallel patterns: from loops to Spatial applications (stardust.txt).

mod cases;
pub mod cin_to_spatial;
pub mod device;
mod element;
pub mod emit;
pub mod pieces;
pub mod read;
mod statement;
