//! Packs a set of coordinates into the arrays of storage levels: LANGUAGE.md, "Formats" and "Output of
//! print".
//!
//! Level by level, the entries are dealt out to the positions of the level; what is left under the last one
//! are the positions of the values.

use std::collections::{BTreeMap, BTreeSet};

use comet_syntax::ast::LevelKind;

use crate::error::{OracleError, Result};
use crate::layout::{Layout, LevelIndex};

/// The arrays of one level, as `print` shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LevelArrays {
    /// Positions; the size for D, −1 for S.
    pub(crate) pos: Vec<i64>,
    pub(crate) crd: LevelCoordinates,
}

/// The second array of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LevelCoordinates {
    /// One after another; −1 for D.
    Listed(Vec<i64>),
    /// One bit for each, for BV.
    Words(Vec<u64>),
}

/// A tensor's storage.
pub(crate) struct Packed {
    pub(crate) levels: Vec<LevelArrays>,
    /// The coordinates, one for each mode, of every position of the value array; none for padding.
    pub(crate) positions: Vec<Option<Vec<usize>>>,
}

/// A position of a level: the coordinates of the levels down to it, and the entries below it.
#[derive(Clone, Default)]
struct PackedNode {
    path: Vec<Option<usize>>,
    entries: Vec<Vec<usize>>,
}

impl PackedNode {
    fn child(&self, coordinate: Option<usize>, entries: Vec<Vec<usize>>) -> Self {
        let path = self.path.iter().copied().chain([coordinate]).collect();
        Self { path, entries }
    }

    /// The entries by their coordinates on the levels `levels`, sorted.
    fn grouped(&self, levels: std::ops::Range<usize>) -> BTreeMap<Vec<usize>, Vec<Vec<usize>>> {
        let mut groups = BTreeMap::<_, Vec<_>>::new();
        for entry in &self.entries {
            groups.entry(entry[levels.clone()].to_vec()).or_default().push(entry.clone());
        }
        groups
    }
}

/// Packs the positions `stored` of a tensor with those extents.
pub(crate) fn pack(layout: &Layout, dims: &[usize], stored: &[Vec<usize>]) -> Result<Packed> {
    let entries = with_slots(layout, stored.iter().map(|at| level_coordinates(layout, at)).collect());
    let slots = slot_count(layout, &entries);
    let mut nodes = vec![PackedNode { path: Vec::new(), entries }];
    let mut levels = Vec::new();
    for level in 0..layout.len() {
        let size = level_size(layout[level].index, dims, slots);
        let (arrays, below) = pack_level(layout, level, size, &nodes)?;
        levels.push(arrays);
        nodes = below;
    }
    let positions = nodes.iter().map(|node| mode_coordinates(layout, dims, &node.path)).collect();
    Ok(Packed { levels, positions })
}

fn level_coordinates(layout: &Layout, at: &[usize]) -> Vec<usize> {
    let coordinate = |index| match index {
        LevelIndex::Mode(mode) => at[mode],
        LevelIndex::Div(mode, size) => at[mode] / size,
        LevelIndex::Mod(mode, size) => at[mode] % size,
        LevelIndex::Slot => 0,
    };
    layout.iter().map(|level| coordinate(level.index)).collect()
}

/// Numbers the entries of each row, in sorted order, in the place of the slot level.
fn with_slots(layout: &Layout, entries: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let sorted = entries.into_iter().collect::<BTreeSet<_>>();
    let Some(slot) = layout.iter().position(|level| level.index == LevelIndex::Slot) else {
        return sorted.into_iter().collect();
    };
    let mut used = BTreeMap::<Vec<usize>, usize>::new();
    let numbered = sorted.into_iter().map(|mut entry| {
        let next = used.entry(entry[..slot].to_vec()).or_default();
        entry[slot] = *next;
        *next += 1;
        entry
    });
    numbered.collect()
}

fn slot_count(layout: &Layout, entries: &[Vec<usize>]) -> usize {
    let slot = layout.iter().position(|level| level.index == LevelIndex::Slot);
    slot.and_then(|slot| entries.iter().map(|entry| entry[slot] + 1).max()).unwrap_or(0)
}

fn level_size(index: LevelIndex, dims: &[usize], slots: usize) -> usize {
    match index {
        LevelIndex::Mode(mode) => dims[mode],
        LevelIndex::Div(mode, size) => dims[mode].div_ceil(size),
        LevelIndex::Mod(_, size) => size,
        LevelIndex::Slot => slots,
    }
}

fn pack_level(
    layout: &Layout,
    level: usize,
    size: usize,
    nodes: &[PackedNode],
) -> Result<(LevelArrays, Vec<PackedNode>)> {
    match layout[level].kind {
        LevelKind::Dense => Ok(pack_dense(level, size, nodes)),
        // Tables are printed in order.
        LevelKind::CompressedUnique | LevelKind::Hashed => Ok(pack_compressed(level, level + 1, nodes)),
        LevelKind::CompressedNonUnique => Ok(pack_compressed(level, end_of_tuple(layout, level), nodes)),
        LevelKind::Singleton => pack_singleton(level, nodes),
        LevelKind::BitVector(bits) => Ok(pack_bits(level, size, bits as usize, nodes)),
        LevelKind::Range => Ok(pack_range(level, nodes)),
    }
}

/// One past the S levels right below a CN level.
fn end_of_tuple(layout: &Layout, level: usize) -> usize {
    let singletons = layout[level + 1..].iter().take_while(|below| below.kind == LevelKind::Singleton);
    level + 1 + singletons.count()
}

fn pack_dense(level: usize, size: usize, nodes: &[PackedNode]) -> (LevelArrays, Vec<PackedNode>) {
    let children = |node: &PackedNode| {
        let mut groups = node.grouped(level..level + 1);
        let child = |at: usize| node.child(Some(at), groups.remove(&vec![at]).unwrap_or_default());
        (0..size).map(child).collect::<Vec<_>>()
    };
    let arrays = LevelArrays { pos: vec![size as i64], crd: LevelCoordinates::Listed(vec![-1]) };
    (arrays, nodes.iter().flat_map(children).collect())
}

/// CU, and CN with one position for each distinct tuple on the levels `level..end`.
fn pack_compressed(level: usize, end: usize, nodes: &[PackedNode]) -> (LevelArrays, Vec<PackedNode>) {
    let (mut pos, mut crd) = (vec![0], Vec::new());
    let mut below = Vec::new();
    for node in nodes {
        for (tuple, entries) in node.grouped(level..end) {
            crd.push(tuple[0] as i64);
            below.push(node.child(Some(tuple[0]), entries));
        }
        pos.push(below.len() as i64);
    }
    (LevelArrays { pos, crd: LevelCoordinates::Listed(crd) }, below)
}

fn pack_singleton(level: usize, nodes: &[PackedNode]) -> Result<(LevelArrays, Vec<PackedNode>)> {
    let mut crd = Vec::new();
    let mut below = Vec::new();
    for node in nodes {
        let mut groups = node.grouped(level..level + 1);
        if groups.len() > 1 {
            return Err(OracleError::new("an S level would hold two coordinates under one position"));
        }
        let only = groups.pop_first();
        crd.push(only.as_ref().map_or(-1, |(tuple, _)| tuple[0] as i64));
        below.push(match only {
            Some((tuple, entries)) => node.child(Some(tuple[0]), entries),
            None => node.child(None, Vec::new()),
        });
    }
    Ok((LevelArrays { pos: vec![-1], crd: LevelCoordinates::Listed(crd) }, below))
}

/// Every coordinate from the first to the last one of a fiber.
fn pack_range(level: usize, nodes: &[PackedNode]) -> (LevelArrays, Vec<PackedNode>) {
    let (mut pos, mut start, mut below) = (vec![0], Vec::new(), Vec::new());
    for node in nodes {
        let mut groups = node.grouped(level..level + 1);
        let ends = groups.first_key_value().zip(groups.last_key_value());
        let (first, end) = ends.map_or((0, 0), |((first, _), (last, _))| (first[0], last[0] + 1));
        for at in first..end {
            below.push(node.child(Some(at), groups.remove(&vec![at]).unwrap_or_default()));
        }
        start.push(first as i64);
        pos.push(below.len() as i64);
    }
    (LevelArrays { pos, crd: LevelCoordinates::Listed(start) }, below)
}

/// Every fiber is ⌈size/bits⌉ words, the lowest coordinate in the lowest bit; `pos` counts the coordinates.
fn pack_bits(level: usize, size: usize, bits: usize, nodes: &[PackedNode]) -> (LevelArrays, Vec<PackedNode>) {
    let (mut pos, mut words, mut below) = (vec![0], Vec::new(), Vec::new());
    for node in nodes {
        let mut fiber = vec![0u64; size.div_ceil(bits)];
        for (tuple, entries) in node.grouped(level..level + 1) {
            fiber[tuple[0] / bits] |= 1 << (tuple[0] % bits);
            below.push(node.child(Some(tuple[0]), entries));
        }
        words.append(&mut fiber);
        pos.push(below.len() as i64);
    }
    (LevelArrays { pos, crd: LevelCoordinates::Words(words) }, below)
}

/// The position of the tensor that a path through the levels leads to; none where it is padding.
fn mode_coordinates(layout: &Layout, dims: &[usize], path: &[Option<usize>]) -> Option<Vec<usize>> {
    let mut at = vec![0; dims.len()];
    for (level, &coordinate) in layout.iter().zip(path) {
        match level.index {
            LevelIndex::Mode(mode) => at[mode] += coordinate?,
            LevelIndex::Div(mode, size) => at[mode] += coordinate? * size,
            LevelIndex::Mod(mode, _) => at[mode] += coordinate?,
            LevelIndex::Slot => {}
        }
    }
    at.iter().zip(dims).all(|(at, extent)| at < extent).then_some(at)
}
