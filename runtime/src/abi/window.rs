//! Parts of tensors.

use super::handle::{PassedArray, TensorHandle, Text};
use crate::error::Error;
use crate::window::{self, WindowMode};

exported! {
    fn _mlir_ciface_comet_rt_window_take(
        whole: TensorHandle,
        part: TensorHandle,
        modes: PassedArray<i64>,
        at: Text,
    ) {
        window::take(whole.get()?, &of_numbers(modes)?, part.get_mut()?)
    }

    fn _mlir_ciface_comet_rt_window_put(
        whole: TensorHandle,
        part: TensorHandle,
        modes: PassedArray<i64>,
        at: Text,
    ) {
        window::put(part.get()?, &of_numbers(modes)?, whole.get_mut()?)
    }
}

/// The first coordinate, the step, and whether it is shifted, for each mode.
fn of_numbers(numbers: PassedArray<i64>) -> Result<Vec<WindowMode>, Error> {
    let (modes, _) = numbers.get(None)?.as_chunks::<3>();
    let mode = |&[from, step, shifted]: &[i64; 3]| WindowMode { from, step, is_shifted: shifted != 0 };
    Ok(modes.iter().map(mode).collect())
}
