//! `comet tune`: schedules of a program's statements, measured on the program's inputs.
//!
//! [`statement`] reads from a checked program which statements take a schedule, and [`target`] which are
//! worth one. Of each, [`candidates`] makes schedules, in stages that go on from the best one of the stage
//! before: the order of the loops, workspaces and positions, as [`estimate`] sorts
//! them; vectors, unrolling and blocks; tasks. The compiler is the judge of what is legal. A [`worker`],
//! which is a process of its own, compiles and runs programs that [`timed`] has put clocks into, and
//! [`compare`] sees that results stay the same; [`bench`] has the worker run them, and ends it where
//! that takes too long. A file without `main` is measured by [`kernels`]' calls of its functions.
//! [`search`] decides what is measured how often, and [`report`] shows it.

pub(crate) mod bench;
mod candidates;
mod compare;
mod estimate;
pub(crate) mod kernels;
pub(crate) mod report;
pub(crate) mod search;
pub(crate) mod statement;
mod statistics;
pub(crate) mod target;
pub(crate) mod timed;
pub(crate) mod worker;
