//! The entry of an executable that `comet build` writes.

use super::guarded;
use super::handle::{MainArguments, ProcessFunctions, Text};
use crate::distributed;
use crate::instrument;
use crate::options::{self, Options};
use crate::output;
use crate::signals;
use std::ffi::{OsString, c_int};

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_main(
    argc: c_int,
    argv: MainArguments,
    program: extern "C" fn(),
) -> c_int {
    output::check_open();
    signals::handle();
    let arguments: Vec<OsString> = argv.get(argc).into_iter().skip(1).collect();
    if arguments == ["--help"] {
        output::write(format!("takes {}\n", Options::USAGE).as_bytes());
        output::flush();
        distributed::stop();
        return 0;
    }
    guarded(Text::none(), || options::set(Options::parse(arguments)?));
    distributed::note_copies("compile it with `--distributed` for them to share the work");
    program();
    output::flush();
    instrument::report();
    options::note_unused_inputs();
    distributed::stop();
    0
}

/// As [`comet_rt_main`], for one of several processes.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_main_distributed(
    argc: c_int,
    argv: MainArguments,
    program: extern "C" fn(),
    functions: ProcessFunctions,
) -> c_int {
    guarded(Text::none(), || distributed::start(functions.get()));
    comet_rt_main(argc, argv, program)
}
