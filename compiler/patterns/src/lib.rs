//! The back end of parallel patterns: from loops to Spatial applications (stardust.txt).

pub mod cin_to_spatial;
pub mod device;
mod statement;
