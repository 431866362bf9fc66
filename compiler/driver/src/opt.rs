//! The main function of `comet-opt`.

use std::os::unix::ffi::OsStringExt;
use std::process::ExitCode;

/// `MlirOptMain` with our dialects, passes and pipelines; `.ta` files are lowered to `ta` first.
pub fn opt_main() -> ExitCode {
    comet_dialects::registration::register_upstream_passes();
    let arguments = std::env::args_os().map(OsStringExt::into_vec);
    match comet_dialects::opt::main("comet-opt", arguments, read_source) {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn read_source(path: &str) -> Option<String> {
    eprintln!("error: {path}: `.ta` input is not supported yet");
    None
}
