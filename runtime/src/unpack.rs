//! Unpacking: from any format to a list of entries, in storage order.
//!
//! The entries are the stored positions without padding: ELL's empty slots, what blocks hold besides their
//! entries, and what of them lies beyond an extent.

use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::levels::{LevelCode as _, with_code};
use crate::memory::{check_available, checked_product};
use crate::tensor::{ArrayName, Tensor};
use crate::values::{Value, Values};
use comet_format::LevelExpr;

/// The entries that a tensor stores.
///
/// # Errors
/// A list that does not fit the memory.
pub fn unpack(tensor: &Tensor) -> Result<CoordinateTensor, Error> {
    let mut coords: Vec<Vec<i64>> = vec![Vec::new(); tensor.dims.len()];
    let mut positions: Vec<usize> = Vec::new();
    let stored = tensor.values.len();
    let name = ArrayName { tensor: &tensor.name, part: "coordinates" };
    check_available(checked_product(&[stored, tensor.dims.len() + 2, 8], &name)?, &name)?;
    coords.iter_mut().for_each(|column| column.reserve(stored));
    positions.reserve(stored);
    for_each_entry(tensor, |entry, position| {
        coords.iter_mut().zip(entry).for_each(|(column, &coordinate)| column.push(coordinate));
        positions.push(position);
    });
    let values = match &tensor.values {
        Values::F64(values) => f64::column(gather(values, &positions)),
        Values::F32(values) => f32::column(gather(values, &positions)),
        Values::I64(values) => i64::column(gather(values, &positions)),
    };
    Ok(CoordinateTensor { dims: tensor.dims.clone(), coords, values })
}

fn gather<V: Value>(values: &[V], positions: &[usize]) -> Vec<V> {
    positions.iter().map(|&position| values[position]).collect()
}

/// Calls `visit` with the coordinates and the value's position of each entry, in storage order.
pub(crate) fn for_each_entry(tensor: &Tensor, visit: impl FnMut(&[i64], usize)) {
    if tensor.values.is_empty() {
        return;
    }
    let sizes = (0..tensor.levels.len()).map(|level| tensor.level_size(level) as usize).collect();
    let coordinates = vec![0; tensor.levels.len()];
    let entry = vec![0; tensor.dims.len()];
    Unpacking { tensor, sizes, coordinates, entry, visit }.descend(0, 0);
}

/// A walk over the tree of positions.
struct Unpacking<'a, F> {
    tensor: &'a Tensor,
    sizes: Vec<usize>,
    /// The coordinates on the way to the current position, one a level.
    coordinates: Vec<i64>,
    entry: Vec<i64>,
    visit: F,
}

impl<F: FnMut(&[i64], usize)> Unpacking<'_, F> {
    /// Walks the children of a parent's position in a level.
    fn descend(&mut self, level: usize, parent: usize) {
        let Some(kind) = self.tensor.format.format.levels.get(level).map(|level| level.kind) else {
            self.leave(parent);
            return;
        };
        let (stored, size) = (&self.tensor.levels[level], self.sizes[level]);
        with_code!(kind, code => code.walk(stored, size, parent, |coordinate, position| {
            self.coordinates[level] = coordinate;
            self.descend(level + 1, position);
        }));
    }

    /// A position of the last level: an entry, unless it is padding.
    fn leave(&mut self, position: usize) {
        self.entry.fill(0);
        for (level, &coordinate) in self.tensor.format.format.levels.iter().zip(&self.coordinates) {
            match level.expr {
                LevelExpr::Mode(mode) | LevelExpr::Mod(mode, _) => self.entry[mode] += coordinate,
                LevelExpr::Div(mode, n) => self.entry[mode] += coordinate * n as i64,
                LevelExpr::Slot => {}
            }
        }
        let inside = self.entry.iter().zip(&self.tensor.dims).all(|(coordinate, extent)| coordinate < extent);
        if inside && self.tensor.is_present(position) {
            (self.visit)(&self.entry, position);
        }
    }
}
