//! Passes and pipelines one by one.

use std::process::ExitCode;

fn main() -> ExitCode {
    comet_driver::opt_main()
}
