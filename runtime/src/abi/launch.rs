//! Kernels that run on a device instead of as generated code. Their arguments are passed one by one, before
//! the launch.

use super::handle::{TensorHandle, Text};
use crate::error::Error;
use crate::launch::{self, Argument, Number};
use crate::presence::Presence;
use std::cell::RefCell;

/// An argument of the launch that comes.
enum PassedArgument {
    Tensor(TensorHandle),
    Number(Number),
}

thread_local! {
    static GIVEN: RefCell<Vec<PassedArgument>> = const { RefCell::new(Vec::new()) };
}

fn give(argument: PassedArgument) -> Result<(), Error> {
    GIVEN.with_borrow_mut(|given| given.push(argument));
    Ok(())
}

exported! {
    fn comet_rt_launch_tensor(tensor: TensorHandle) {
        give(PassedArgument::Tensor(tensor))
    }

    fn comet_rt_launch_f64(value: f64) {
        give(PassedArgument::Number(Number::F64(value)))
    }

    fn comet_rt_launch_f32(value: f32) {
        give(PassedArgument::Number(Number::F32(value)))
    }

    fn comet_rt_launch_i64(value: i64) {
        give(PassedArgument::Number(Number::I64(value)))
    }

    fn comet_rt_launch(number: i64, at: Text) {
        let given = GIVEN.take();
        let Some(PassedArgument::Tensor(result)) = given.first() else {
            return Err(Error::Internal("a launch without a result".to_owned()));
        };
        let argument = |given: &PassedArgument| match given {
            PassedArgument::Tensor(tensor) => Ok(Argument::Tensor(tensor.get()?)),
            PassedArgument::Number(number) => Ok(Argument::Number(*number)),
        };
        let arguments = given.iter().map(argument).collect::<Result<Vec<_>, Error>>()?;
        let (levels, values) = launch::launch(number as usize, result.get()?, &arguments)?;
        drop(arguments);
        let result = result.get_mut()?;
        (result.levels, result.values) = (levels, values);
        // What may be padded is computed in a format that does not pad.
        result.present = Presence::Every;
        Ok(())
    }
}
