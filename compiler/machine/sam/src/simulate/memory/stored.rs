//! How many bytes tensors take.

use super::super::fault::SimulationFault;
use super::Untiled;
use crate::arithmetic::Element;
use crate::graph::{BlockKind, Graph};
use crate::storage::{StoredLevel, StoredTensor};

/// The number of bytes of a coordinate and of a segment's position.
pub(in crate::simulate) const INDEX: u64 = 4;

/// A tensor as a memory moves it that is not in tiles.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) struct Stored<'a> {
    storage: &'a StoredTensor,
    has_values: bool,
}

impl<'a> Stored<'a> {
    /// An operand, whose values are moved if some array of the graph loads them. What stands for all
    /// coordinates may have none; where it has, nothing loads them.
    pub(in crate::simulate) fn operand(graph: &Graph, name: &str, storage: &'a StoredTensor) -> Self {
        let loads = |kind: &BlockKind| matches!(kind, BlockKind::Array { tensor, .. } if tensor == name);
        Self { storage, has_values: graph.blocks.iter().any(|block| loads(&block.kind)) }
    }

    pub(in crate::simulate) fn result(storage: &'a StoredTensor) -> Self {
        Self { storage, has_values: true }
    }

    pub(in crate::simulate) fn bytes(&self) -> u64 {
        let nodes = ranges(&self.storage.levels, 0).unwrap_or_default();
        let levels = self.storage.levels.iter().zip(&nodes).zip(parents(&nodes));
        let indices = levels.filter(|((level, _), _)| !level.is_dense());
        let indices: u64 =
            indices.map(|((level, nodes), parents)| level.index_bytes(parents, *nodes, INDEX)).sum();
        let values = if self.has_values { nodes.last().copied().unwrap_or(1) } else { 0 };
        indices + values.saturating_mul(value_bytes(self.storage.values.element))
    }
}

#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) struct StoredTiles<'a> {
    pub(in crate::simulate) storage: &'a StoredTensor,
    is_dense: bool,
}

impl<'a> StoredTiles<'a> {
    pub(in crate::simulate) fn new(name: &str, storage: &'a StoredTensor, untiled: &Untiled) -> Self {
        Self { storage, is_dense: storage.is_dense() || untiled.dense.contains(name) }
    }

    /// The bytes of the tile below a position in front of a level: of a dense operand the values; of others
    /// the segments and coordinates of all levels, too, which a tile has compressed whatever they are in the
    /// tensor. Where a level is stored dense, coordinates under which nothing is stored are none.
    pub(in crate::simulate) fn bytes(&self, level: usize, position: u64) -> Result<u64, SimulationFault> {
        let levels = &self.storage.levels[level..];
        let has_dense = levels.iter().any(StoredLevel::is_dense);
        let nodes = match has_dense && !self.is_dense {
            true => stored_nodes(levels, position as usize),
            false => ranges(levels, position as usize),
        };
        let outside = || fault!("reference {position} leads to no part of the tensor");
        let nodes = nodes.ok_or_else(outside)?;
        let values = nodes.last().copied().unwrap_or(1);
        let values = values.saturating_mul(value_bytes(self.storage.values.element));
        if self.is_dense {
            return Ok(values);
        }
        let of_levels = levels.iter().zip(&nodes).zip(parents(&nodes));
        let indices: u64 =
            of_levels.map(|((level, nodes), parents)| level.index_bytes(parents, *nodes, INDEX)).sum();
        Ok(values + indices)
    }

    /// The bytes of all of it as one tile; none where nothing is stored.
    pub(in crate::simulate) fn whole(&self) -> u64 {
        let is_empty = self.storage.values.bits.is_empty();
        if is_empty { 0 } else { self.bytes(0, 0).unwrap_or(0) }
    }
}

/// How many nodes the level around has, level by level.
fn parents(nodes: &[u64]) -> impl Iterator<Item = u64> {
    std::iter::once(1).chain(nodes.iter().copied())
}

/// How many nodes each of these levels has below a position.
fn ranges(levels: &[StoredLevel], position: usize) -> Option<Vec<u64>> {
    let mut positions = position..position + 1;
    let below = |level: &StoredLevel| {
        positions = level.children(&positions)?;
        Some(positions.len() as u64)
    };
    levels.iter().map(below).collect()
}

/// The same, of nodes under which something is stored.
fn stored_nodes(levels: &[StoredLevel], position: usize) -> Option<Vec<u64>> {
    let mut nodes = vec![0; levels.len()];
    count_stored(levels, position, &mut nodes)?;
    Some(nodes)
}

/// Whether something is stored below a position; adds the nodes to those of each level.
fn count_stored(levels: &[StoredLevel], position: usize, nodes: &mut [u64]) -> Option<bool> {
    let (Some((first, inner)), Some((own, below))) = (levels.split_first(), nodes.split_first_mut()) else {
        return Some(true);
    };
    let before = *own;
    for child in first.children(&(position..position + 1))? {
        *own += u64::from(count_stored(inner, child, below)?);
    }
    Some(*own > before)
}

pub(in crate::simulate) fn value_bytes(element: Element) -> u64 {
    element.bytes() as u64
}
