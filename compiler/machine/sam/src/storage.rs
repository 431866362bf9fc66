//! Tensors as graphs read and write them: levels of segments and coordinates, and values (sam.txt figure 1).

pub mod text;

use crate::arithmetic::{Value, Values};

/// A stored tensor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredTensor {
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
    /// Of fiber `f`, bits are set for the coordinates at positions `seg[f]` to `seg[f + 1]`.
    BitVector(BitVectors),
}

/// The bit vectors of a level: all fibers have words for the whole extent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitVectors {
    /// The extent.
    pub size: usize,
    /// How many bits a word has: 1 to 64.
    pub width: u32,
    /// How many bits are set before each fiber, and in all.
    pub seg: Vec<usize>,
    /// The words, those of one fiber behind those of the other; the lowest bit is the first coordinate.
    pub words: Vec<u64>,
}

impl BitVectors {
    /// Those of a compressed level.
    pub fn new(size: usize, width: u32, seg: Vec<usize>, crd: &[usize]) -> Self {
        let mut bits = Self { size, width, seg, words: Vec::new() };
        let fibers = bits.seg.len().saturating_sub(1);
        bits.words = vec![0; fibers * bits.words_each()];
        for fiber in 0..fibers {
            for &coordinate in &crd[bits.seg[fiber]..bits.seg[fiber + 1]] {
                let word = fiber * bits.words_each() + coordinate / width as usize;
                bits.words[word] |= 1 << (coordinate % width as usize);
            }
        }
        bits
    }

    /// How many words a fiber has.
    pub fn words_each(&self) -> usize {
        self.size.div_ceil(self.width as usize)
    }

    /// The words of a fiber, and the position of the first bit in each that is set. `None`: there is no such
    /// fiber.
    pub fn fiber(&self, fiber: usize) -> Option<(&[u64], usize)> {
        let first = *self.seg.get(fiber)?;
        let words = self.words.get(fiber * self.words_each()..(fiber + 1) * self.words_each())?;
        Some((words, first))
    }

    /// The position of a coordinate in a fiber; `Some(None)` where its bit is not set. `None`: there is no
    /// such fiber.
    pub fn find(&self, fiber: usize, coordinate: usize) -> Option<Option<usize>> {
        let (words, first) = self.fiber(fiber)?;
        let (word, bit) = (coordinate / self.width as usize, coordinate % self.width as usize);
        let Some(found) = words.get(word).filter(|found| **found >> bit & 1 == 1) else { return Some(None) };
        let before: u32 = words[..word].iter().map(|word| word.count_ones()).sum();
        let below = (found & ((1 << bit) - 1)).count_ones();
        Some(Some(first + (before + below) as usize))
    }
}

/// Coordinates by mode, and a value.
pub type Entry = (Vec<usize>, Value);

impl StoredTensor {
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
            Self::BitVector(bits) => bits.seg.last().copied().unwrap_or(0),
        }
    }

    /// The coordinates of a fiber with their positions.
    fn fiber(&self, parent: usize) -> Vec<(usize, usize)> {
        match self {
            Self::Dense { size } => (0..*size).map(|crd| (crd, parent * size + crd)).collect(),
            Self::Compressed { seg, crd } => {
                (seg[parent]..seg[parent + 1]).map(|pos| (crd[pos], pos)).collect()
            }
            Self::BitVector(bits) => {
                let Some((words, first)) = bits.fiber(parent) else { return Vec::new() };
                let width = bits.width as usize;
                let set = |(number, word): (usize, &u64)| {
                    let word = *word;
                    let is_set = move |bit: &usize| word >> bit & 1 == 1;
                    (0..width).filter(is_set).map(move |bit| number * width + bit)
                };
                words.iter().enumerate().flat_map(set).zip(first..).collect()
            }
        }
    }
}
