//! Tensors as graphs read and write them: levels of segments and coordinates, and values (sam.txt figure 1).

pub mod text;

use crate::arithmetic::{TypedValue, Values};
use crate::graph::GraphLevel;
use std::ops::Range;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredTensor {
    pub dims: Vec<usize>,
    pub levels: Vec<StoredLevel>,
    pub order: Vec<usize>,
    /// The values; of a scalar one.
    pub values: Values,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredLevel {
    /// All coordinates below the extent.
    Dense { size: usize },
    /// Fiber `f` has the coordinates from `seg[f]` to `seg[f + 1]`.
    Compressed {
        seg: Vec<usize>,
        /// The coordinates, ascending in each fiber.
        crd: Vec<usize>,
    },
    /// Of fiber `f`, bits are set for the coordinates at positions `seg[f]` to `seg[f + 1]`.
    BitVector(BitVectors),
}

pub enum LevelCoordinates {
    Stored(Vec<usize>),
    Words(Vec<u64>),
}

/// The bit vectors of a level: all fibers have words for the whole extent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitVectors {
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
pub type Entry = (Vec<usize>, TypedValue);

impl StoredTensor {
    /// What is stored, sorted by coordinates; zeros of compressed levels too, those of dense levels not.
    pub fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        // Levels around one of extent 0 can have any extent, and nothing is there.
        if self.values.is_empty() {
            return entries;
        }
        self.collect(0, 0, &mut vec![0; self.dims.len()], &mut entries);
        if self.is_dense() && !self.levels.is_empty() {
            entries.retain(|entry| !entry.1.is_zero());
        }
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        entries
    }

    /// Returns whether all levels are dense, as those of a scalar are.
    pub fn is_dense(&self) -> bool {
        self.levels.iter().all(StoredLevel::is_dense)
    }

    pub fn level_of(&self, mode: usize) -> Option<&StoredLevel> {
        self.levels.get(self.order.iter().position(|stored| *stored == mode)?)
    }

    /// Makes bit vectors of a compressed level.
    pub(crate) fn make_words(&mut self, number: usize, width: u32) {
        let size = self.dims.get(self.order[number]).copied().unwrap_or_default();
        if let StoredLevel::Compressed { seg, crd } = &mut self.levels[number] {
            let bits = BitVectors::new(size, width, std::mem::take(seg), crd);
            self.levels[number] = StoredLevel::BitVector(bits);
        }
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
    pub fn is_dense(&self) -> bool {
        matches!(self, Self::Dense { .. })
    }

    pub fn is_stored_as(&self, format: GraphLevel) -> bool {
        match self {
            Self::Dense { .. } => format.is_dense(),
            Self::Compressed { .. } => format == GraphLevel::Compressed,
            Self::BitVector(bits) => format.width() == Some(bits.width),
        }
    }

    /// Returns the extent, where the arrays say it.
    pub fn extent(&self) -> Option<usize> {
        match self {
            Self::Dense { size } | Self::BitVector(BitVectors { size, .. }) => Some(*size),
            Self::Compressed { .. } => None,
        }
    }

    /// Returns the segments: where the children of each parent begin, and the end of the last.
    pub fn segments(&self) -> Option<&[usize]> {
        match self {
            Self::Dense { .. } => None,
            Self::Compressed { seg, .. } | Self::BitVector(BitVectors { seg, .. }) => Some(seg),
        }
    }

    /// Returns the coordinates of all fibers, where they are stored one by one.
    pub(crate) fn coordinates(&self) -> &[usize] {
        if let Self::Compressed { crd, .. } = self { crd } else { &[] }
    }

    pub(crate) fn bit_vectors(&self) -> Option<&BitVectors> {
        if let Self::BitVector(bits) = self { Some(bits) } else { None }
    }

    /// Returns the segments, and the coordinates or the words of bit vectors; nothing of a dense level.
    pub fn into_arrays(self) -> Option<(Vec<usize>, LevelCoordinates)> {
        match self {
            Self::Dense { .. } => None,
            Self::Compressed { seg, crd } => Some((seg, LevelCoordinates::Stored(crd))),
            Self::BitVector(BitVectors { seg, words, .. }) => Some((seg, LevelCoordinates::Words(words))),
        }
    }

    /// Returns the number of positions under a number of parents; `None` where it cannot be counted.
    pub fn positions(&self, parents: usize) -> Option<usize> {
        match self {
            Self::Dense { size } => parents.checked_mul(*size),
            Self::Compressed { crd, .. } => Some(crd.len()),
            Self::BitVector(bits) => bits.seg.last().copied(),
        }
    }

    /// Returns where the children of these positions are; `None` where there are no such positions.
    pub(crate) fn children(&self, parents: &Range<usize>) -> Option<Range<usize>> {
        match (self, self.segments()) {
            (_, Some(seg)) => Some(*seg.get(parents.start)?..*seg.get(parents.end)?),
            (level, None) => {
                let size = level.extent()?;
                Some(parents.start.saturating_mul(size)..parents.end.saturating_mul(size))
            }
        }
    }

    /// Returns the position of a coordinate in a fiber, `Some(None)` where nothing is stored, and `None`
    /// where there is no such fiber.
    pub(crate) fn locate(&self, fiber: usize, coordinate: usize) -> Option<Option<usize>> {
        match self {
            Self::Dense { size } => {
                let position = fiber.checked_mul(*size)?.checked_add(coordinate)?;
                Some((coordinate < *size).then_some(position))
            }
            Self::Compressed { seg, crd } => {
                let (start, end) = (*seg.get(fiber)?, *seg.get(fiber + 1)?);
                Some(crd[start..end].binary_search(&coordinate).ok().map(|place| start + place))
            }
            Self::BitVector(bits) => bits.find(fiber, coordinate),
        }
    }

    /// Returns the bytes of the arrays under a number of parents, with so many bytes for a position or a
    /// coordinate. A dense level takes as many as if it were compressed.
    pub(crate) fn index_bytes(&self, parents: u64, nodes: u64, index: u64) -> u64 {
        match self {
            Self::Dense { .. } | Self::Compressed { .. } => index * (parents + 1 + nodes),
            Self::BitVector(bits) => {
                index * parents + parents * (bits.words_each() as u64 * u64::from(bits.width)).div_ceil(8)
            }
        }
    }

    /// Returns the arrays that files hold, by their names in SAM's text layout.
    pub(crate) fn arrays(&self) -> Vec<(&'static str, Vec<u64>)> {
        let numbers = |array: &[usize]| array.iter().map(|&number| number as u64).collect();
        match self {
            Self::Dense { .. } => Vec::new(),
            Self::Compressed { seg, crd } => vec![("seg", numbers(seg)), ("crd", numbers(crd))],
            Self::BitVector(bits) => vec![("bv", bits.words.clone())],
        }
    }

    /// Removes the empty fibers of a compressed level that has not as many fibers as there are positions
    /// above: the coordinates of these have been dropped.
    pub(crate) fn leave_out_dropped(&mut self, positions: usize) {
        if let Self::Compressed { seg, crd } = self
            && seg.len() != positions + 1
        {
            seg.dedup();
            if *seg == [0] && positions == 1 {
                seg.push(crd.len());
            }
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
