//! The tests of files, storage and the C ABI.

#![allow(clippy::unwrap_used, reason = "a test that panics has said what is wrong")]

mod abi;
mod affinity;
mod data;
mod foreign_files;
mod pack;
mod process;
mod read;
mod reorder;
mod threads;
mod write;
