//! The comet driver.

use std::process::ExitCode;

fn main() -> ExitCode {
    comet_driver::comet_main()
}
