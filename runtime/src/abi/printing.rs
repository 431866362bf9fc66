//! Printing, the clock, and errors that generated code finds itself.

use super::guarded;
use super::handle::{TensorHandle, Text};
use crate::distributed;
use crate::error::Error;
use crate::output;
use crate::print::{ScalarForm, print_entries, print_scalar, print_tensor};
use comet_notation::Complex;
use std::sync::OnceLock;
use std::time::Instant;

exported! {
    fn comet_rt_print(tensor: TensorHandle, at: Text) {
        print_tensor(tensor.part()?)
    }

    fn comet_rt_print_text(text: Text) {
        output::write(text.get().as_bytes());
        Ok(())
    }

    fn comet_rt_print_entries(tensor: TensorHandle, at: Text) {
        print_entries(tensor.part()?)
    }

    fn comet_rt_print_elapsed(start: f64, end: f64) {
        output::write(format!("ELAPSED_TIME = {:.6}\n", end - start).as_bytes());
        Ok(())
    }

    fn comet_rt_fail(message: Text, at: Text) {
        Err::<(), _>(Error::Unsupported(message.get().to_owned()))
    }

    fn comet_rt_flush() {
        output::flush();
        Ok(())
    }
}

exported! {
    [comet_rt_print_scalar_f64 f64, comet_rt_print_scalar_f32 f32, comet_rt_print_scalar_i64 i64]
    fn(value: V, bare: i8) -> () {
        print_scalar(value, if bare == 0 { ScalarForm::Array } else { ScalarForm::Bare });
        Ok(())
    }
}

exported! {
    [comet_rt_print_number_f64 f64, comet_rt_print_number_f32 f32, comet_rt_print_number_i64 i64]
    fn(value: V) -> () {
        print_scalar(value, ScalarForm::Part);
        Ok(())
    }
}

exported! {
    [comet_rt_print_complex_f64 f64, comet_rt_print_complex_f32 f32]
    fn(re: V, im: V, form: i8) -> () {
        let form = match form {
            0 => ScalarForm::Array,
            1 => ScalarForm::Bare,
            _ => ScalarForm::Part,
        };
        print_scalar(Complex { re, im }, form);
        Ok(())
    }
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_iteration() {}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_time() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    static FIRST: OnceLock<f64> = OnceLock::new();
    guarded(Text::none(), || {
        let shared = distributed::seconds()?;
        let own = || START.get_or_init(Instant::now).elapsed().as_secs_f64();
        Ok(shared.map_or_else(own, |seconds| seconds - FIRST.get_or_init(|| seconds)))
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_div_i64(dividend: i64, divisor: i64, at: Text) -> i64 {
    if divisor == 0 {
        return refused_division(dividend, at);
    }
    dividend.wrapping_div(divisor)
}

#[cold]
fn refused_division(dividend: i64, at: Text) -> i64 {
    guarded(at, || Err(Error::Division(dividend)))
}
