//! Packing into levels that are all D: each entry's position is computed, nothing is sorted.

use crate::error::Error;
use crate::levels::size_as_pos;
use crate::memory::{Array, checked_product};
use crate::tensor::{ArrayName, Index, Tensor};
use crate::values::{Value, Values};
use comet_format::LevelExpr;

pub(super) fn store<I: Index, V: Value>(
    tensor: &mut Tensor,
    coords: &[Vec<i64>],
    entries: &[V],
) -> Result<(), Error> {
    let name = ArrayName { tensor: &tensor.name, part: "values" };
    let places = DensePlaces::new(tensor)?;
    let mut values = Array::<V>::zeroed(places.len, &name)?;
    // A sum of one entry is that entry, also where it is -0.0, and 0.0 elsewhere.
    let zero = V::from_bits(0);
    let nothing = zero.negated();
    if entries.iter().any(|value| value.add(zero).bits() != value.bits()) {
        for entry in 0..entries.len() {
            values[places.of(|mode| coords[mode][entry])] = nothing;
        }
    }
    for (entry, &value) in entries.iter().enumerate() {
        let place = &mut values[places.of(|mode| coords[mode][entry])];
        *place = place.add(value);
    }
    for level in 0..tensor.levels.len() {
        tensor.levels[level].pos = size_as_pos::<I>(tensor.level_size(level), &tensor.name)?;
    }
    tensor.values = Values::stored(values, tensor.format.value)?;
    Ok(())
}

/// The positions of the values of a tensor whose levels are all full.
pub(crate) struct DensePlaces {
    /// The number of values, padding of blocks included.
    pub(crate) len: usize,
    /// Whether the positions are those of the coordinates in mode order.
    pub(crate) are_row_major: bool,
    levels: Vec<(LevelExpr, usize)>,
}

impl DensePlaces {
    pub(crate) fn new(tensor: &Tensor) -> Result<Self, Error> {
        let name = ArrayName { tensor: &tensor.name, part: "values" };
        let sizes: Vec<usize> =
            (0..tensor.levels.len()).map(|level| tensor.level_size(level) as usize).collect();
        let len = checked_product(&sizes, &name)?;
        // Wrapping matters only where another factor is zero, and then no position is ever asked for.
        let mut stride = 1usize;
        let mut levels = Vec::new();
        for (level, size) in tensor.format.format.levels.iter().zip(&sizes).rev() {
            levels.push((level.expr, stride));
            stride = stride.wrapping_mul(*size);
        }
        let exprs = tensor.format.format.levels.iter().map(|level| level.expr);
        let are_row_major = exprs.eq((0..tensor.dims.len()).map(LevelExpr::Mode));
        Ok(Self { len, are_row_major, levels })
    }

    /// The position of an entry whose coordinates are looked up by mode.
    pub(crate) fn of(&self, coordinate: impl Fn(usize) -> i64) -> usize {
        let part = |&(expr, stride): &(LevelExpr, usize)| match expr {
            LevelExpr::Mode(mode) => coordinate(mode) as usize * stride,
            LevelExpr::Div(mode, n) => (coordinate(mode) as u64 / n) as usize * stride,
            LevelExpr::Mod(mode, n) => (coordinate(mode) as u64 % n) as usize * stride,
            LevelExpr::Slot => 0,
        };
        self.levels.iter().map(part).sum()
    }
}
