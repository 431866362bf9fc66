//! Pieces of the program that are no code of it. Their arguments come one by one, in front of the launch.

use super::handle::{TensorHandle, Text};
use super::{guarded, unplaced};
use crate::error::Error;
use crate::launch::{self, Argument, Number};
use crate::presence::Presence;
use std::cell::RefCell;

/// An argument of the launch that comes.
enum Given {
    Tensor(TensorHandle),
    Number(Number),
}

thread_local! {
    static GIVEN: RefCell<Vec<Given>> = const { RefCell::new(Vec::new()) };
}

fn give(argument: Given) {
    unplaced(|| {
        GIVEN.with_borrow_mut(|given| given.push(argument));
        Ok(())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_launch_tensor(tensor: TensorHandle) {
    give(Given::Tensor(tensor));
}

macro_rules! launch_number {
    ($($function:ident: $ty:ty => $number:ident),+) => {$(
        #[unsafe(no_mangle)]
        pub(crate) extern "C-unwind" fn $function(value: $ty) {
            give(Given::Number(Number::$number(value)));
        }
    )+};
}

launch_number!(comet_rt_launch_f64: f64 => F64, comet_rt_launch_f32: f32 => F32, comet_rt_launch_i64: i64 => I64);

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_launch(number: i64, at: Text) {
    guarded(at, || {
        let given = GIVEN.take();
        let Some(Given::Tensor(result)) = given.first() else {
            return Err(Error::Internal("a launch without a result".to_owned()));
        };
        let argument = |given: &Given| match given {
            Given::Tensor(tensor) => Ok(Argument::Tensor(tensor.get()?)),
            Given::Number(number) => Ok(Argument::Number(*number)),
        };
        let arguments = given.iter().map(argument).collect::<Result<Vec<_>, Error>>()?;
        let (levels, values) = launch::launch(number as usize, result.get()?, &arguments)?;
        drop(arguments);
        let result = result.get_mut()?;
        (result.levels, result.values) = (levels, values);
        // What may be padded is computed in a format that does not pad.
        result.present = Presence::Every;
        Ok(())
    });
}
