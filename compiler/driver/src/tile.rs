//! `comet tile`: tiles of a program's statements, chosen from the data that the program reads.
//!
//! [`operands`] reads what statements read, [`order`] finds in which order their loops are, [`statement`]
//! puts both together as [`comet_tiling`] takes it, and [`report`] shows what came of it. [`auto`] puts sizes
//! into schedules, [`apply`] writes tiled tensors, [`page`] a page to look at.

pub(crate) mod apply;
pub(crate) mod auto;
pub(crate) mod operands;
pub(crate) mod order;
pub(crate) mod page;
mod plots;
pub(crate) mod report;
#[cfg(test)]
mod simulated;
pub(crate) mod statement;
