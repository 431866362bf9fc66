//! A tensor as a list of its entries: what files are read into, and what every format is packed from.

use crate::error::Error;
use crate::values::ValueColumn;

/// Entries in any order, with duplicates or without. Column m holds the coordinates in mode m.
#[derive(Clone, Debug, PartialEq)]
pub struct CoordinateTensor {
    /// The extents in mode order.
    pub dims: Vec<i64>,
    /// One column a mode; all are as long as `values`. Coordinates are 0-based and below the extents.
    pub coords: Vec<Vec<i64>>,
    /// The values of the entries.
    pub values: ValueColumn,
}

impl CoordinateTensor {
    /// The number of modes.
    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks what packing relies on: columns of one length, coordinates below the extents.
    pub fn check(&self) -> Result<(), Error> {
        if self.coords.len() != self.rank() || self.coords.iter().any(|column| column.len() != self.len()) {
            return Err(Error::Shape("the columns of a list of coordinates differ in length".to_owned()));
        }
        for (mode, (column, &extent)) in self.coords.iter().zip(&self.dims).enumerate() {
            if let Some(found) = column.iter().find(|&&coordinate| coordinate < 0 || coordinate >= extent) {
                return Err(Error::Shape(format!(
                    "the coordinate {found} in mode {mode} is outside the extent {extent}"
                )));
            }
        }
        Ok(())
    }

    /// Reorders the modes: mode m of the result is mode `permutation[m]` of this.
    pub fn permuted(self, permutation: &[usize]) -> Self {
        let mut coords: Vec<Option<Vec<i64>>> = self.coords.into_iter().map(Some).collect();
        Self {
            dims: permutation.iter().map(|&mode| self.dims[mode]).collect(),
            coords: permutation
                .iter()
                .map(|&mode| coords[mode].take().expect("a permutation names each mode once"))
                .collect(),
            values: self.values,
        }
    }
}
