//! Packing into levels that are all D: each entry's position is computed, nothing is sorted.

use super::adds_up_as_stored;
use crate::error::Error;
use crate::levels::size_as_pos;
use crate::memory::{Array, checked_product, zeroed_vec};
use crate::tensor::{ArrayName, Index, Tensor};
use crate::values::{Stores, Value};
use comet_format::LevelExpr;
use std::collections::HashMap;

pub(super) fn store<I: Index, V: Value, T: Stores<V>>(
    tensor: &mut Tensor,
    coords: &[Vec<i64>],
    entries: &[V],
) -> Result<(), Error> {
    let (name, of) = (ArrayName { tensor: &tensor.name, part: "values" }, tensor.format.value);
    let places = DensePlaces::new(tensor)?;
    let mut cells = Array::<T>::zeroed(places.len, &name)?;
    let place_of = |entry: usize| places.of(|mode| coords[mode][entry]);
    if entries.iter().any(|value| value.add(V::from_bits(0)).bits() != value.bits()) {
        let nothing = T::stored(nothing(), of);
        (0..entries.len()).for_each(|entry| cells[place_of(entry)] = nothing);
    }
    for (entry, &value) in entries.iter().enumerate() {
        let cell = &mut cells[place_of(entry)];
        *cell = T::stored(cell.computed(of).add(value), of);
    }
    if !adds_up_as_stored(of) {
        for (place, sum) in repeated_sums(entries, place_of, places.len, &name)? {
            cells[place] = T::stored(sum, of);
        }
    }
    for level in 0..tensor.levels.len() {
        tensor.levels[level].pos = size_as_pos::<I>(tensor.level_size(level), &tensor.name)?;
    }
    tensor.values = T::store(cells, of);
    Ok(())
}

/// The value that every other one added to it leaves as it is, also -0.0.
fn nothing<V: Value>() -> V {
    V::from_bits(0).negated()
}

/// Returns the sums of the entries at places that have several, so that these are rounded once.
fn repeated_sums<V: Value>(
    entries: &[V],
    place_of: impl Fn(usize) -> usize,
    places: usize,
    name: &ArrayName<'_>,
) -> Result<HashMap<usize, V>, Error> {
    let mut taken = zeroed_vec::<u64>(places.div_ceil(64), name)?;
    let mut sums = HashMap::new();
    for entry in 0..entries.len() {
        let place = place_of(entry);
        let (word, bit) = (&mut taken[place / 64], 1 << (place % 64));
        if *word & bit != 0 {
            sums.insert(place, nothing::<V>());
        }
        *word |= bit;
    }
    if !sums.is_empty() {
        for (entry, value) in entries.iter().enumerate() {
            sums.entry(place_of(entry)).and_modify(|sum| *sum = sum.add(*value));
        }
    }
    Ok(sums)
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
