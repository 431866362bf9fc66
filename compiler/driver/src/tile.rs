//! `comet tile`: tiles of a program's statements, chosen from the data that the program reads.
//!
//! [`operands`] reads what statements read, [`computed`] works out what they compute, [`order`] finds in
//! which order their loops are, [`statement`] puts both together as [`comet_tiling`] takes it, for those
//! statements that are asked for, [`given`] has the sizes that a user states, [`orders`] looks at other
//! orders, as far as they are [`accepted`], [`schemes`] evaluates all that is compared, and [`report`]
//! shows what came of it, [`json`] for programs. [`auto`] puts sizes into schedules, [`processors`] looks
//! whether these can pay on processors, [`apply`] writes tiled tensors, [`export`] files for other models,
//! [`page`] a page to look at. [`levels`] does it for machines with several levels of memory.

pub(crate) mod accepted;
pub(crate) mod apply;
pub(crate) mod auto;
pub(crate) mod computed;
pub(crate) mod export;
pub(crate) mod given;
pub(crate) mod json;
pub(crate) mod levels;
pub(crate) mod operands;
pub(crate) mod order;
pub(crate) mod orders;
pub(crate) mod page;
mod processors;
pub(crate) mod report;
pub(crate) mod schemes;
#[cfg(test)]
mod simulated;
pub(crate) mod statement;
