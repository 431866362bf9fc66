//! Tensors as graphs read and write them: levels of segments and coordinates, and values (sam.txt figure 1).

pub mod text;

use crate::graph::TensorFormat;

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
    pub values: Vec<f64>,
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
pub type Entry = (Vec<usize>, f64);

impl Storage {
    /// Stores entries in the levels of a format. Entries come in any order, no point twice.
    pub fn pack(format: &TensorFormat, dims: &[usize], entries: &[Entry]) -> Self {
        let mut entries: Vec<&Entry> = entries.iter().collect();
        let path = |entry: &Entry| -> Vec<usize> { format.order.iter().map(|&mode| entry.0[mode]).collect() };
        entries.sort_by_key(|entry| path(entry));
        let mut levels = Vec::new();
        // For each entry the position in the level before.
        let mut parents = vec![0; entries.len()];
        let mut positions = 1;
        for (level, &mode) in format.levels.iter().zip(&format.order) {
            let coordinates: Vec<usize> = entries.iter().map(|entry| entry.0[mode]).collect();
            let (stored, next) = store_level(*level, dims[mode], positions, &parents, &coordinates);
            positions = stored.positions(positions);
            levels.push(stored);
            parents = next;
        }
        let mut values = vec![0.0; positions];
        for (position, entry) in parents.iter().zip(&entries) {
            values[*position] = entry.1;
        }
        Self { dims: dims.to_vec(), levels, order: format.order.clone(), values }
    }

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
            entries.retain(|entry| entry.1 != 0.0);
        }
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        entries
    }

    fn collect(&self, level: usize, position: usize, point: &mut Vec<usize>, entries: &mut Vec<Entry>) {
        let Some(stored) = self.levels.get(level) else {
            entries.extend(self.values.get(position).map(|value| (point.clone(), *value)));
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

fn store_level(
    level: crate::graph::Level,
    size: usize,
    positions: usize,
    parents: &[usize],
    coordinates: &[usize],
) -> (StoredLevel, Vec<usize>) {
    match level {
        crate::graph::Level::Dense => {
            let next = parents.iter().zip(coordinates).map(|(parent, crd)| parent * size + crd).collect();
            (StoredLevel::Dense { size }, next)
        }
        crate::graph::Level::Compressed => {
            let (mut seg, mut crd, mut next) = (vec![0; positions + 1], Vec::new(), Vec::new());
            let mut last = None;
            for path in parents.iter().zip(coordinates) {
                if last != Some(path) {
                    crd.push(*path.1);
                    seg[path.0 + 1] += 1;
                    last = Some(path);
                }
                next.push(crd.len() - 1);
            }
            for parent in 0..positions {
                seg[parent + 1] += seg[parent];
            }
            (StoredLevel::Compressed { seg, crd }, next)
        }
    }
}
