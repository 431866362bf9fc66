//! The dataflow back end: from loops to graphs of the Sparse Abstract Machine.

mod copies;
pub mod device;
pub mod pieces;
mod statement;

/// From what the front end gives to the loops that graphs are made of: whole statements, in the order of
/// their schedules.
pub const TO_CIN: &str = "ta-resolve-sizes,ta-to-cin{terms=whole},cin-schedule,cin-order";
