//! Of dense tensors: runs of values, for every position of the levels outside of the one that is sliced.

use super::{Slice, level_of};
use crate::error::Error;
use crate::levels::size_as_pos;
use crate::memory::{Array, checked_product};
use crate::tensor::{ArrayName, Tensor, with_width};
use crate::values::{Cell, with_cell};
use comet_format::LevelExpr;

/// Whether every level is full and stores a mode.
pub(super) fn fits(tensor: &Tensor) -> bool {
    let levels = &tensor.format.format.levels;
    levels.iter().all(|level| level.is_full() && matches!(level.expr, LevelExpr::Mode(_)))
}

pub(super) fn set_sizes(tensor: &mut Tensor) -> Result<(), Error> {
    for level in 0..tensor.levels.len() {
        let size = tensor.level_size(level);
        let pos = with_width!(tensor.format.format.index_width, N => size_as_pos::<N>(size, &tensor.name)?);
        tensor.levels[level].pos = pos;
    }
    Ok(())
}

pub(super) fn join(joined: &mut Tensor, slices: &[Slice<'_>], mode: usize) -> Result<(), Error> {
    set_sizes(joined)?;
    with_cell!(joined.format.value, T => join_values::<T>(joined, slices, mode))
}

fn join_values<T: Cell>(joined: &mut Tensor, slices: &[Slice<'_>], mode: usize) -> Result<(), Error> {
    let sliced = level_of(joined, mode).ok_or_else(|| Error::Internal("a level is missing".to_owned()))?;
    let size = |level: usize| joined.level_size(level) as usize;
    let what = ArrayName { tensor: &joined.name, part: "values" };
    let sizes: Vec<usize> = (0..joined.levels.len()).map(size).collect();
    let outer = checked_product(&sizes[..sliced], &what)?;
    let inner = checked_product(&sizes[sliced + 1..], &what)?;
    let mut values = Array::<T>::unspecified(checked_product(&sizes, &what)?, &what)?;
    let mut end = 0;
    for outside in 0..outer {
        for slice in slices {
            let from = T::array(&slice.tensor.values).expect("slices have one type of values");
            let before = outside * slice.tensor.dims[mode] as usize;
            for range in &slice.ranges {
                let run =
                    &from[(before + range.start as usize) * inner..(before + range.end as usize) * inner];
                values[end..end + run.len()].copy_from_slice(run);
                end += run.len();
            }
        }
    }
    joined.values = T::store(values, joined.format.value);
    Ok(())
}
