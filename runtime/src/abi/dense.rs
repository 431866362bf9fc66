//! Copies of dense tensors in another order of levels, and products of matrices.

use super::handle::{Elements, TensorHandle, Text};
use crate::asynchronous;
use crate::dense::{self, Scale};
use crate::values::with_cell;

exported! {
    fn comet_rt_copy(
        source: TensorHandle,
        target: TensorHandle,
        permutation: Elements<i64>,
        rank: i64,
        at: Text,
    ) {
        let permutation: Vec<usize> = permutation.get(rank)?.iter().map(|&mode| mode as usize).collect();
        let (source, target) = (source.get()?, target.get_mut()?);
        with_cell!(target.format.value, T => dense::copy::<T>(source, target, &permutation))
    }
}

exported! {
    [comet_rt_gemm_f64 f64, comet_rt_gemm_f32 f32]
    fn(
        left: TensorHandle,
        right: TensorHandle,
        output: TensorHandle,
        labels: Text,
        alpha: V,
        accumulate: i64,
        at: Text,
    ) -> () {
        let (inputs, scale) = ([left.get()?, right.get()?], Scale { alpha, accumulates: accumulate != 0 });
        dense::multiply(inputs, output.get_mut()?, labels.get(), scale, asynchronous::threads())
    }
}
