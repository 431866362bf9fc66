//! Printing, the clock, and errors that generated code finds itself.

use super::handle::{TensorHandle, Text};
use super::{guarded, unplaced};
use crate::error::Error;
use crate::output;
use crate::print::{print_scalar, print_tensor};
use std::sync::OnceLock;
use std::time::Instant;

/// Prints a tensor.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_print(tensor: TensorHandle, at: Text) {
    guarded(at, || {
        print_tensor(tensor.get()?);
        Ok(())
    });
}

/// Prints a scalar: bare, or as an array of one element where `bare` is 0.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_print_scalar_f64(value: f64, bare: i8) {
    print_scalar(value, bare != 0);
}

/// Prints a scalar: bare, or as an array of one element where `bare` is 0.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_print_scalar_f32(value: f32, bare: i8) {
    print_scalar(value, bare != 0);
}

/// Prints a scalar: bare, or as an array of one element where `bare` is 0.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_print_scalar_i64(value: i64, bare: i8) {
    print_scalar(value, bare != 0);
}

/// An iteration of a `while` loop. It does nothing, which the compiler does not know, so that a loop without
/// an end is kept.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_iteration() {}

/// Seconds since the program first asked, from a clock that never goes back.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_time() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Prints the seconds between two times.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_print_elapsed(start: f64, end: f64) {
    output::write(format!("ELAPSED_TIME = {:.6}\n", end - start).as_bytes());
}

/// Ends the program with an error.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_fail(message: Text, at: Text) {
    guarded(at, || Err::<(), _>(Error::Unsupported(message.get().to_owned())));
}

/// Integer division, rounding to zero; −2^63 / −1 wraps.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_div_i64(dividend: i64, divisor: i64, at: Text) -> i64 {
    if divisor == 0 {
        return refused_division(dividend, at);
    }
    dividend.wrapping_div(divisor)
}

#[cold]
fn refused_division(dividend: i64, at: Text) -> i64 {
    guarded(at, || Err(Error::Unsupported(format!("division of the integer {dividend} by zero"))))
}

/// Flushes standard output; it is flushed anyway when the process ends.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_flush() {
    unplaced(|| {
        output::flush();
        Ok(())
    });
}
