//! Sessions, stages and the command line.
//!
//! `comet` and `comet-opt` are thin mains over [`comet_main`] and [`opt_main`], and [`embedded`] is the
//! compiler for programs that call the kernels themselves. A subcommand is a file in
//! `command/`; what they share are the front end (`front`), the stages in MLIR (`middle`) and the native back
//! end of `comet-cpu`. A step returns a `Failure`; only the main function prints it and decides the exit
//! code.

mod arguments;
mod cache;
mod capture;
mod command;
mod dataflow;
mod depfile;
mod distributed;
pub mod embedded;
mod entry;
mod failure;
mod front;
mod graphviz;
mod library;
mod logging;
mod machine;
mod messages;
mod middle;
mod native;
mod opt;
mod own;
mod patterns;
mod progress;
mod reproducer;
mod sam_data;
mod scratch;
mod session;
mod spy;
mod sweep;
mod text;
mod tile;
mod trace;
mod tune;

pub use entry::{comet_main, comet_main_with};
pub use failure::{Failure, FaultClass};
pub use opt::opt_main;
pub use own::{Host, set_host};
