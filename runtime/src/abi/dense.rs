//! Copies of dense tensors in another order of levels, and products of matrices.

use super::guarded;
use super::handle::{Elements, TensorHandle, Text};
use crate::asynchronous;
use crate::dense::{self, Float, Scale};
use crate::error::Error;
use comet_format::ValueType;

/// Gives a dense tensor what another one holds; mode m of the target is mode `permutation[m]` of the source.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_copy(
    source: TensorHandle,
    target: TensorHandle,
    permutation: Elements<i64>,
    rank: i64,
    at: Text,
) {
    guarded(at, || {
        let permutation: Vec<usize> = permutation.get(rank)?.iter().map(|&mode| mode as usize).collect();
        let (source, target) = (source.get()?, target.get_mut()?);
        match target.format.value {
            ValueType::F64 => dense::copy::<f64>(source, target, &permutation),
            ValueType::F32 => dense::copy::<f32>(source, target, &permutation),
            ValueType::I64 => dense::copy::<i64>(source, target, &permutation),
        }
    });
}

fn multiply<V: Float>(
    inputs: [TensorHandle; 2],
    output: TensorHandle,
    labels: Text,
    scale: Scale<V>,
) -> Result<(), Error> {
    let [left, right] = inputs;
    let inputs = [left.get()?, right.get()?];
    dense::multiply(inputs, output.get_mut()?, labels.get(), scale, asynchronous::threads())
}

/// `output = alpha * left * right`, added to what it holds unless `accumulates` is 0.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_gemm_f64(
    left: TensorHandle,
    right: TensorHandle,
    output: TensorHandle,
    labels: Text,
    alpha: f64,
    accumulates: i64,
    at: Text,
) {
    let scale = Scale { alpha, accumulates: accumulates != 0 };
    guarded(at, || multiply([left, right], output, labels, scale));
}

/// `output = alpha * left * right`, added to what it holds unless `accumulates` is 0.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn comet_rt_gemm_f32(
    left: TensorHandle,
    right: TensorHandle,
    output: TensorHandle,
    labels: Text,
    alpha: f32,
    accumulates: i64,
    at: Text,
) {
    let scale = Scale { alpha, accumulates: accumulates != 0 };
    guarded(at, || multiply([left, right], output, labels, scale));
}
