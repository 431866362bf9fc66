//! Tensors as graphs read and write them: levels of segments and coordinates, and values (sam.txt figure 1).

pub mod text;

use crate::arithmetic::{Value, Values};

/// A stored tensor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Storage {
    /// The extent of each mode.
    pub dims: Vec<usize>,
    /// The levels, the outermost first; none for a scalar.
    pub levels: Vec<StoredLevel>,
    /// For each level the mode that it stores.
    pub order: Vec<usize>,
    /// The values; of a scalar one.
    pub values: Values,
}

/// The arrays of one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredLevel {
    /// All coordinates below the extent.
    Dense {
        /// The extent.
        size: usize,
    },
    /// Fiber `f` has the coordinates from `seg[f]` to `seg[f + 1]`.
    Compressed {
        /// The segments.
        seg: Vec<usize>,
        /// The coordinates, ascending in each fiber.
        crd: Vec<usize>,
    },
}

/// Coordinates by mode, and a value.
pub type Entry = (Vec<usize>, Value);

impl Storage {
    /// What is stored, sorted by coordinates; zeros of compressed levels too, those of dense levels not.
    pub fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        // Levels around one of extent 0 can have any extent, and nothing is there.
        if self.values.is_empty() {
            return entries;
        }
        self.collect(0, 0, &mut vec![0; self.dims.len()], &mut entries);
        let is_dense = self.levels.iter().all(|level| matches!(level, StoredLevel::Dense { .. }));
        if is_dense && !self.levels.is_empty() {
            entries.retain(|entry| !entry.1.is_zero());
        }
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        entries
    }

    fn collect(&self, level: usize, position: usize, point: &mut Vec<usize>, entries: &mut Vec<Entry>) {
        let Some(stored) = self.levels.get(level) else {
            entries.extend(self.values.get(position).map(|value| (point.clone(), value)));
            return;
        };
        for (coordinate, child) in stored.fiber(position) {
            point[self.order[level]] = coordinate;
            self.collect(level + 1, child, point, entries);
        }
    }
}

impl StoredLevel {
    /// How many positions the level has under a number of parents.
    pub fn positions(&self, parents: usize) -> usize {
        match self {
            Self::Dense { size } => parents * size,
            Self::Compressed { crd, .. } => crd.len(),
        }
    }

    /// The coordinates of a fiber with their positions.
    fn fiber(&self, parent: usize) -> Vec<(usize, usize)> {
        match self {
            Self::Dense { size } => (0..*size).map(|crd| (crd, parent * size + crd)).collect(),
            Self::Compressed { seg, crd } => {
                (seg[parent]..seg[parent + 1]).map(|pos| (crd[pos], pos)).collect()
            }
        }
    }
}
