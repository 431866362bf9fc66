//! The entry of an executable that `comet build` writes.

use super::guarded;
use super::handle::{Arguments, Text};
use crate::instrument;
use crate::options::{self, Options};
use crate::output;
use std::ffi::c_int;

/// Parses the command line, runs the program and returns its exit code.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_main(argc: c_int, argv: Arguments, program: extern "C" fn()) -> c_int {
    guarded(Text::none(), || options::set(Options::parse(argv.get(argc).into_iter().skip(1))?));
    program();
    output::flush();
    instrument::report();
    options::note_unused_inputs();
    0
}
