//! Unpacking: from any format to a list of entries, in storage order.
//!
//! The entries are the stored positions without padding: ELL's empty slots, what blocks hold besides their
//! entries, and what of them lies beyond an extent.

use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::levels::{LevelCode as _, with_code};
use crate::memory::{check_available, checked_product};
use crate::tensor::{ArrayName, Tensor};
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
    let values = tensor.values.gather(positions.into_iter());
    Ok(CoordinateTensor { dims: tensor.dims.clone(), coords, values })
}

/// Calls `visit` with the coordinates and the value's position of each entry, in storage order.
pub(crate) fn for_each_entry(tensor: &Tensor, visit: impl FnMut(&[i64], usize)) {
    let bounds: Vec<(i64, i64)> = tensor.dims.iter().map(|extent| (0, extent - 1)).collect();
    for_each_entry_within(tensor, &bounds, visit);
}

/// Does the same for the entries whose coordinates lie within bounds, which are inclusive, one pair a mode.
/// Takes no time for what full levels hold outside of them.
pub(crate) fn for_each_entry_within(
    tensor: &Tensor,
    bounds: &[(i64, i64)],
    visit: impl FnMut(&[i64], usize),
) {
    if tensor.values.is_empty() {
        return;
    }
    let sizes: Vec<usize> = (0..tensor.levels.len()).map(|level| tensor.level_size(level) as usize).collect();
    let levels = tensor.format.format.levels.iter().zip(&sizes);
    let bounds = levels.map(|(level, &size)| within(level.expr, size, bounds)).collect();
    let coordinates = vec![0; tensor.levels.len()];
    let entry = vec![0; tensor.dims.len()];
    Unpacking { tensor, sizes, bounds, coordinates, entry, visit }.descend(0, 0);
}

/// The coordinates of a level that those of its mode within bounds can have.
fn within(expr: LevelExpr, size: usize, bounds: &[(i64, i64)]) -> (i64, i64) {
    let last = size as i64 - 1;
    match expr {
        LevelExpr::Mode(mode) => (bounds[mode].0.max(0), bounds[mode].1.min(last)),
        LevelExpr::Div(mode, n) => {
            (bounds[mode].0.max(0) / n as i64, bounds[mode].1.div_euclid(n as i64).min(last))
        }
        LevelExpr::Mod(..) | LevelExpr::Slot => (0, i64::MAX),
    }
}

/// A walk over the tree of positions.
struct Unpacking<'a, F> {
    tensor: &'a Tensor,
    sizes: Vec<usize>,
    /// The first and the last coordinate of each level.
    bounds: Vec<(i64, i64)>,
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
        let (stored, size, (first, last)) =
            (&self.tensor.levels[level], self.sizes[level], self.bounds[level]);
        if kind.is_full() && last < i64::MAX {
            for coordinate in first..=last {
                self.coordinates[level] = coordinate;
                self.descend(level + 1, parent * size + coordinate as usize);
            }
            return;
        }
        with_code!(kind, code => code.walk(stored, size, parent, |coordinate, position| {
            if (first..=last).contains(&coordinate) {
                self.coordinates[level] = coordinate;
                self.descend(level + 1, position);
            }
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
