//! Conversions of dense tensors, which store every position: the levels follow from the extents, and the
//! values are those of the source in the order of the levels.

use super::{ConvertSource, Moves};
use crate::asynchronous;
use crate::dense::{self, Mode};
use crate::error::Error;
use crate::memory::Array;
use crate::pack::EveryPosition;
use crate::tensor::{ArrayName, Index, LevelStorage, Tensor, with_width};
use crate::values::{Cell, Values, with_values};
use comet_format::{LevelExpr, TypedFormat};

/// A copy of a dense tensor in another format, whose mode m is mode `permutation[m]` of the source. `None`
/// where the source is not one of whole modes, is empty, or the format splits a mode into parts of different
/// length or has positions that are no entries.
pub(super) fn convert(
    source: &mut ConvertSource<'_>,
    format: &TypedFormat,
    name: &str,
    permutation: &[usize],
) -> Result<Option<(Tensor, Moves)>, Error> {
    let mut target = Tensor::new(name, format.clone());
    target.dims = permutation.iter().map(|&mode| source.dims[mode]).collect();
    let Some(order) = order_of_levels(source, &target, permutation) else { return Ok(None) };
    let entries = source.values.len();
    let levels = with_width!(format.format.index_width, N => levels::<N>(&target, entries)?);
    let Some(FullLevels { levels, slots }) = levels else { return Ok(None) };
    let values = ordered(source, &target, &order)?;
    target.values = match slots {
        Some(slots) => with_values!(&values, cells => spread(cells, &slots, &target)?),
        None => values,
    };
    target.levels = levels;
    let is_taken = format.format.is_dense() && source.values.is_empty();
    let moved = if is_taken { 0 } else { entries };
    Ok(Some((target, Moves { entries, moved, ..Moves::default() })))
}

/// Splits the modes of the source as the levels of the target do, and returns them in the order of these
/// levels. `None` if the source is not dense, is empty, or has a mode that does not divide evenly.
fn order_of_levels(source: &Tensor, target: &Tensor, permutation: &[usize]) -> Option<Vec<Mode>> {
    let modes = dense::modes(source)?;
    let mut order = Vec::new();
    for level in &target.format.format.levels {
        let Some(mode) = level.expr.mode() else { continue };
        let Mode { extent, stride } = modes[permutation[mode]];
        order.push(match level.expr {
            LevelExpr::Div(_, n) if extent % n as usize == 0 => {
                Mode { extent: extent / n as usize, stride: stride * n as usize }
            }
            LevelExpr::Mod(_, n) if extent % n as usize == 0 => Mode { extent: n as usize, stride },
            LevelExpr::Mode(_) => Mode { extent, stride },
            _ => return None,
        });
    }
    let positions = order.iter().map(|mode| mode.extent as u128).product::<u128>();
    (positions > 0 && positions == source.values.len() as u128).then_some(order)
}

/// The levels of a tensor that stores every position.
struct FullLevels {
    levels: Vec<LevelStorage>,
    slots: Option<Slots>,
}

/// The hash tables of a last level: every parent has one of the same size, with the same coordinates.
struct Slots {
    /// The number of slots of a table.
    of_each: usize,
    /// The slot of each coordinate.
    slots: Vec<usize>,
}

fn levels<I: Index>(target: &Tensor, entries: usize) -> Result<Option<FullLevels>, Error> {
    let Some(every) = EveryPosition::<I>::of(target, entries)? else { return Ok(None) };
    let EveryPosition { built, slots, positions, .. } = every;
    let slots = slots.map(|slots| Slots { of_each: positions / (entries / slots.len()), slots });
    Ok(Some(FullLevels { levels: built, slots }))
}

/// The values of the source in the type and the order of the target.
fn ordered(source: &mut ConvertSource<'_>, target: &Tensor, order: &[Mode]) -> Result<Values, Error> {
    let (of, what) = (target.format.value, ArrayName { tensor: &target.name, part: "values" });
    let own = match source.values.value_type() == of {
        true if dense::is_in_order(order) => source.taken_values(),
        true => None,
        false => Some(source.values.cast(of, &what)?),
    };
    match own {
        Some(own) if dense::is_in_order(order) => Ok(own),
        own => with_values!(own.as_ref().unwrap_or(&source.values), cells => permuted(cells, order, target)),
    }
}

fn permuted<T: Cell>(cells: &[T], order: &[Mode], target: &Tensor) -> Result<Values, Error> {
    let what = ArrayName { tensor: &target.name, part: "values" };
    let mut ordered = Array::<T>::unspecified(cells.len(), &what)?;
    dense::permute(cells, &mut ordered, order, asynchronous::threads());
    Ok(T::store(ordered, target.format.value))
}

/// Returns the values in the layout of a hashed last level: those of each parent at their slots, and 0 at
/// empty slots.
fn spread<T: Cell>(cells: &[T], slots: &Slots, target: &Tensor) -> Result<Values, Error> {
    let what = ArrayName { tensor: &target.name, part: "values" };
    let Slots { of_each, slots } = slots;
    let parents = cells.len() / slots.len();
    let mut spread = Array::<T>::zeroed(parents * of_each, &what)?;
    for (cells, table) in cells.chunks(slots.len()).zip(spread.chunks_mut(*of_each)) {
        cells.iter().zip(slots).for_each(|(cell, slot)| table[*slot] = *cell);
    }
    Ok(T::store(spread, target.format.value))
}
