//! Copies of dense tensors in another order of levels, and products of matrices.

use super::guarded;
use super::handle::{Elements, TensorHandle, Text};
use crate::asynchronous;
use crate::dense::{self, Float, Scale};
use crate::error::Error;
use comet_format::ValueType;

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn comet_rt_copy(
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

macro_rules! gemm {
    ($($function:ident: $ty:ty),+) => {$(
        #[unsafe(no_mangle)]
        pub(crate) extern "C-unwind" fn $function(
            left: TensorHandle,
            right: TensorHandle,
            output: TensorHandle,
            labels: Text,
            alpha: $ty,
            accumulate: i64,
            at: Text,
        ) {
            let scale = Scale { alpha, accumulates: accumulate != 0 };
            guarded(at, || multiply([left, right], output, labels, scale));
        }
    )+};
}

gemm!(comet_rt_gemm_f64: f64, comet_rt_gemm_f32: f32);
