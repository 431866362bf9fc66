//! From loops to native code.
pub mod native;
