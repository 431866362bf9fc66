//! The end of a program that cannot go on: a message on standard error, after everything that was printed
//! before.

use crate::error::Error;
use crate::output;

/// Prints an error with the place in the `.ta` source and ends the process.
pub fn fail(place: &str, error: &Error) -> ! {
    output::flush_before_end();
    if place.is_empty() {
        output::tell(format_args!("error: {error}"));
    } else {
        output::tell(format_args!("error: {place}: {error}"));
    }
    std::process::exit(error.exit_code());
}
