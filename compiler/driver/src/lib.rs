//! Sessions, stages and the command line.
//!
//! `comet` and `comet-opt` are thin mains over [`comet_main`] and [`opt_main`].

mod opt;

pub use opt::opt_main;
