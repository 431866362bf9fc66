//! Work on whole dense tensors: copies in another order of modes, and contractions that are products of
//! matrices.
//!
//! Together they are a contraction of any two dense tensors by transpose, transpose, GEMM and transpose
//! (TTGT; comet.txt section 2 and its reference 1): the compiler decides which copies there are.

mod gemm;
mod permute;
mod product;

pub use gemm::Float;
pub(crate) use permute::{is_in_order, permute};
pub use product::{Scale, multiply};

use crate::asynchronous;
use crate::error::Error;
use crate::tensor::Tensor;
use crate::values::Cell;
use comet_format::LevelExpr;
use rayon::prelude::*;

/// With fewer elements to copy, or multiplications to make, another thread costs more than it brings.
const SMALL: usize = 1 << 15;

/// A mode of a dense tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mode {
    pub(crate) extent: usize,
    /// How far apart the values at two neighbouring coordinates are.
    pub(crate) stride: usize,
}

/// The modes of a tensor in mode order; `None` where a level is not D, or a part of a mode.
pub(crate) fn modes(tensor: &Tensor) -> Option<Vec<Mode>> {
    let mut modes = vec![Mode { extent: 1, stride: 1 }; tensor.dims.len()];
    let mut stride = 1usize;
    for level in tensor.format.format.levels.iter().rev() {
        let (LevelExpr::Mode(mode), true) = (level.expr, level.is_full()) else { return None };
        let extent = tensor.dims[mode] as usize;
        modes[mode] = Mode { extent, stride };
        // Wraps only where another extent is 0, and then there is nothing to be found.
        stride = stride.wrapping_mul(extent);
    }
    Some(modes)
}

/// Copies a dense tensor to another one, which is allocated; mode m of the target is mode
/// `permutation[m]` of the source.
///
/// # Errors
/// Tensors that are not alike or whose extents differ: a mistake of the compiler.
pub fn copy<V: Cell>(source: &Tensor, target: &mut Tensor, permutation: &[usize]) -> Result<(), Error> {
    let refused = || Error::Internal(format!("`{}` is no copy of `{}`", target.name, source.name));
    let (Some(from), Some(to)) = (modes(source), modes(target)) else { return Err(refused()) };
    let extents = permutation.iter().map(|&mode| from.get(mode).map(|mode| mode.extent));
    if !extents.eq(to.iter().map(|mode| Some(mode.extent))) {
        return Err(refused());
    }
    let order = target.format.format.levels.iter().map(|level| match level.expr {
        LevelExpr::Mode(mode) => from[permutation[mode]],
        _ => unreachable!("`modes` has found whole modes"),
    });
    let order: Vec<Mode> = order.collect();
    let name = target.name.clone();
    let (Some(read), Some(written)) = (V::array(&source.values), V::array_mut(&mut target.values)) else {
        return Err(Error::Internal(format!("the values of `{name}` are of another type")));
    };
    permute(read, written, &order, asynchronous::threads());
    Ok(())
}

/// Calls `work` on each chunk of some values, with its ordinal, on that many threads.
fn for_each_chunk<V: Send>(
    values: &mut [V],
    len: usize,
    threads: usize,
    work: impl Fn(usize, &mut [V]) + Sync + Send,
) {
    if threads == 1 {
        values.chunks_mut(len).enumerate().for_each(|(number, chunk)| work(number, chunk));
        return;
    }
    let share = values.len().div_ceil(len).div_ceil(threads);
    let chunks = values.par_chunks_mut(len).enumerate().with_min_len(share);
    chunks.for_each(|(number, chunk)| work(number, chunk));
}
