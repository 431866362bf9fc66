//! `comet sweep`: the points of a design space, simulated in processes of their own.
//!
//! An [`axis`] has a name and values; a [`template`] is the command line of `comet sim` in which names of
//! axes stand in braces. Each combination of values is a point. A [`run`] of a point is a process, some of
//! which go on at once; what it counts ([`counts`]) becomes a row of the [`table`], which is a file that a
//! later sweep goes on with. The [`front`] are the points that no other one beats, and [`picture`] draws it.

pub(crate) mod axis;
pub(crate) mod counts;
pub(crate) mod front;
pub(crate) mod picture;
pub(crate) mod run;
pub(crate) mod table;
pub(crate) mod template;
